// What no check here can show. It is printed with every verdict, especially a good one.

import type { Report } from '../../ledger/verify/report.ts'
import { type Child, h } from './dom.ts'
import { truncation } from './verdict.ts'

export function limits(report: Report | null): Child {
  const to = report?.truncation_excluded_to ?? null
  const tail =
    to === null
      ? 'Truncation not excluded: without an earlier checkpoint of yours, later events may have been cut off.'
      : `${report ? truncation(report) : ''}: the checkpoint you gave counts them. Whether more followed is not shown.`
  return h(
    'ul',
    '',
    h(
      'li',
      '',
      'The ledger cannot prove that every action was logged, that a claim is true, or that a signer was honest when signing.',
    ),
    h('li', '', tail),
    h(
      'li',
      '',
      'The keys of seats are held by the machine that recorded them: a signature says “this installation recorded this reply from that seat”.',
    ),
    h(
      'li',
      '',
      'A page cannot vouch for itself: its maker could have made it say anything. When it matters, save the bundle and check it with your own copy of Witan.',
    ),
  )
}
