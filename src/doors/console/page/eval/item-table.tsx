// The items of an evaluation: the grade of each arm, and the councils, each a separate trace.

import { useState } from 'preact/hooks'
import type { EvalReport } from '../../../../eval/report.ts'
import { Table } from '../admin/part.tsx'
import { Id, IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import { rows } from '../state.ts'

/** At first; thousands of rows are rendered only on request. */
const FIRST = 100

export function TraceLink({ trace }: { readonly trace: string }) {
  if (!rows.value.has(trace)) return <Id text={trace} />
  return (
    <a href={tracePath(trace)} onClick={followLink(tracePath(trace))}>
      <code>{trace}</code>
    </a>
  )
}

const GRADES = new Map<boolean | null, readonly [mark: string, tone: string]>([
  [true, ['right', 'good']],
  [false, ['wrong', 'bad']],
  [null, ['ungraded', 'muted']],
])

function Grade({ grade }: { readonly grade: boolean | null }) {
  const [mark, tone] = GRADES.get(grade) ?? ['', '']
  return <span class={tone}>{mark}</span>
}

export function ItemTable({ report }: { readonly report: EvalReport }) {
  const [most, setMost] = useState(FIRST)
  const { items, arms } = report
  const names = arms
    .map(({ arm }) => arm)
    .filter((arm) => items.some(({ grades }) => grades.some((one) => one.arm === arm)))
  return (
    <>
      <Table columns={['Item', ...names, 'Councils']}>
        {items.slice(0, most).map((item) => (
          <tr key={item.unit} id={`item-${item.unit}`}>
            <td>
              <IsolatedText text={item.rep > 1 ? `${item.id}#${item.rep}` : item.id} />
            </td>
            {names.map((arm) => (
              <td key={arm}>
                <Grade grade={item.grades.find((one) => one.arm === arm)?.grade ?? null} />
              </td>
            ))}
            <td>
              {item.councils.map(({ variant, trace }) => (
                <span key={trace} class="block">
                  {variant !== 'main' && <span class="muted">{variant} </span>}
                  <TraceLink trace={trace} />
                </span>
              ))}
            </td>
          </tr>
        ))}
      </Table>
      {items.length > most && (
        <p>
          <button type="button" class="link" onClick={() => setMost(items.length)}>
            Show {items.length - most} more
          </button>
        </p>
      )}
    </>
  )
}
