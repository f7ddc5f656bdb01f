// Everything under the verdict, in the order of a reader's questions: what is wrong, whose trace this is,
// what happened, what is not here, what was checked, about which bytes, and what none of this can show.

import type { ReadSection } from '../../ledger/verify/inquire.ts'
import { button, type Child, count, fold, h, section } from './dom.ts'
import { EventList } from './events.ts'
import type { PageContext } from './examined.ts'
import { findingsView } from './findings.ts'
import { limits } from './limits.ts'
import { omissions } from './omissions.ts'
import { save } from './save-bundle.ts'
import { checksTable, identifiers, reportView } from './summary.ts'

interface Place {
  readonly list: () => EventList
  readonly open: () => void
}

function folded(
  scene: PageContext,
  read: ReadSection,
  title: string,
): { element: HTMLElement; place: Place } {
  let made: EventList | null = null
  const list = (): EventList => {
    made ??= new EventList(scene, read)
    return made
  }
  const summary = h('summary', '', title, h('span', 'muted', ` ${count(read.events.length, 'event')}`))
  const details = fold('section', summary, () => list().element)
  return { element: details, place: { list, open: () => details.setAttribute('open', '') } }
}

function traceView(scene: PageContext): Child {
  const { ancestors, main, registry } = scene.inquiry
  const list = new EventList(scene, main)
  const before = ancestors.map((read) => folded(scene, read, `Prefix taken over from ${read.trace}`))
  const keys = registry === main ? [] : [folded(scene, registry, 'The registry it is judged by')]
  const places: Place[] = [
    { list: () => list, open: () => {} },
    ...[...before, ...keys].map(({ place }) => place),
  ]
  scene.reveal = (event) => {
    for (const place of places) {
      const index = place.list().indexOf(event)
      if (index < 0) continue
      place.open()
      // The inside of a folded part is put in place by its toggle event.
      setTimeout(() => place.list().reveal(index))
      return
    }
  }
  return [before.map(({ element }) => element), list.element, keys.map(({ element }) => element)]
}

export const findings = (scene: PageContext): Child =>
  scene.report?.failures.length ? section('findings', 'What was found', findingsView(scene)) : null

export const recordView = (scene: PageContext): Child => section('trace', 'What happened', traceView(scene))

export function results(scene: PageContext): Child {
  const { report } = scene
  return [
    section('omissions', 'What is not in this file', omissions(scene)),
    report ? section('checks', 'What was checked', checksTable(report)) : null,
    section('identifiers', 'What this is about', identifiers(scene)),
    section('limits', 'What this cannot prove', limits(report)),
    section(
      'report',
      'The report',
      reportView(scene),
      button('Save the bundle as a file', '', () => save(scene.cargo)),
    ),
  ]
}
