// A citation is an id (`op-2`, `rv-1`, `rv-1.c2`, `op-3.f1`) and leads to the very words it names, shown by who said them. An
// id that names nothing here is shown as what it is.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Said } from '../words/text.tsx'

/** What was last cited: shown open and marked. */
export const cited = signal<{ readonly id: string; readonly turn: number } | null>(null)

const placeOf = (id: string): string => `cite-${id}`

const cite = (id: string): void => {
  cited.value = { id, turn: (cited.value?.turn ?? 0) + 1 }
}

/** Whether what is cited is this, or stands in it. */
export const isCitedIn = (id: string): boolean =>
  cited.value !== null && (cited.value.id === id || cited.value.id.startsWith(`${id}.`))

/** Of each id who said what it names. */
type Known = ReadonlyMap<string, string>

function Citation({ id, known }: { readonly id: string; readonly known: Known }) {
  const name = known.get(id)
  if (name === undefined)
    return (
      <code class="unknown-id" title="names nothing in this council">
        <Said text={id.slice(0, 40)} />
      </code>
    )
  return (
    <button
      type="button"
      class="citation"
      onClick={() => cite(id)}
      title={id}
      aria-label={`Show ${name}, ${id}`}
    >
      <Said text={name} />
    </button>
  )
}

export const Citations = ({ ids, known }: { readonly ids: readonly string[]; readonly known: Known }) => (
  <span class="citations">
    {ids.map((id) => (
      <Citation key={id} id={id} known={known} />
    ))}
  </span>
)

/** Words that can be cited. */
export function Citable({
  id,
  children,
  class: name = '',
}: {
  readonly id: string
  readonly children: ComponentChildren
  readonly class?: string
}) {
  const element = useRef<HTMLDivElement>(null)
  const turn = cited.value?.id === id ? cited.value.turn : 0
  useEffect(() => {
    if (turn === 0) return
    element.current?.scrollIntoView({ block: 'center' })
    element.current?.focus({ preventScroll: true })
  }, [turn])
  return (
    <div id={placeOf(id)} ref={element} tabIndex={-1} class={`${name} ${turn > 0 ? 'cited' : ''}`.trim()}>
      {children}
    </div>
  )
}

export const Words = ({ title, text }: { readonly title: string; readonly text: string }) =>
  text === '' ? null : (
    <p>
      <strong>{title}</strong> <Said text={text} />
    </p>
  )

export const List = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) =>
  items.length === 0 ? null : (
    <div class="word-list">
      <h4>{title}</h4>
      <ul>
        {items.map((text, i) => (
          <li key={i}>
            <Said text={text} />
          </li>
        ))}
      </ul>
    </div>
  )
