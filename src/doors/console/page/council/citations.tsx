// A citation is an id (`op-2`, `rv-1`, `rv-1.c2`, `op-3.f1`) and leads to the exact text it names, shown with
// its author. An id that names nothing here is shown as plain text.

import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { IsolatedText } from '../elements/text.tsx'

/** The last selected citation: shown open and marked. */
export const citedTarget = signal<{ readonly id: string; readonly turn: number } | null>(null)

const elementId = (id: string): string => `cite-${id}`

const showCited = (id: string): void => {
  citedTarget.value = { id, turn: (citedTarget.value?.turn ?? 0) + 1 }
}

/** Whether this is the cited item, or contains it. */
export const isCitedIn = (id: string): boolean =>
  citedTarget.value !== null && (citedTarget.value.id === id || citedTarget.value.id.startsWith(`${id}.`))

/** The author of what each id names. */
type CitableIds = ReadonlyMap<string, string>

function Citation({ id, known: citableIds }: { readonly id: string; readonly known: CitableIds }) {
  const name = citableIds.get(id)
  if (name === undefined)
    return (
      <code class="unknown-id" title="names nothing in this council">
        <IsolatedText text={id.slice(0, 40)} />
      </code>
    )
  return (
    <button
      type="button"
      class="citation"
      onClick={() => showCited(id)}
      title={id}
      aria-label={`Show ${name}, ${id}`}
    >
      <IsolatedText text={name} />
    </button>
  )
}

export const Citations = ({
  ids,
  known: citableIds,
}: {
  readonly ids: readonly string[]
  readonly known: CitableIds
}) => (
  <span class="citations">
    {ids.map((id) => (
      <Citation key={id} id={id} known={citableIds} />
    ))}
  </span>
)

/** Text that can be cited. */
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
  const turn = citedTarget.value?.id === id ? citedTarget.value.turn : 0
  useEffect(() => {
    if (turn === 0) return
    element.current?.scrollIntoView({ block: 'center' })
    element.current?.focus({ preventScroll: true })
  }, [turn])
  return (
    <div id={elementId(id)} ref={element} tabIndex={-1} class={`${name} ${turn > 0 ? 'cited' : ''}`.trim()}>
      {children}
    </div>
  )
}

export const CitedText = ({ title, text }: { readonly title: string; readonly text: string }) =>
  text === '' ? null : (
    <p>
      <strong>{title}</strong> <IsolatedText text={text} />
    </p>
  )

export const List = ({ title, items }: { readonly title: string; readonly items: readonly string[] }) =>
  items.length === 0 ? null : (
    <div class="word-list">
      <h4>{title}</h4>
      <ul>
        {items.map((text, i) => (
          <li key={i}>
            <IsolatedText text={text} />
          </li>
        ))}
      </ul>
    </div>
  )
