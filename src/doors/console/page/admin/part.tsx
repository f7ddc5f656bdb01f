// A part of the administration: loaded by itself, so that a slow one delays no other, and shows its own error.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, type RefusedRequest } from '../client.ts'
import { Scroll } from '../elements/scroll.tsx'
import { IsolatedText } from '../elements/text.tsx'

export function Part<Value>({
  title,
  path,
  everyMs,
  children,
}: {
  readonly title: string
  readonly path: string
  /** Loaded again after this long, while the page is visible. */
  readonly everyMs?: number
  readonly children: (value: Value) => ComponentChildren
}) {
  const [value, setValue] = useState<Value | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    let isLate = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async (): Promise<void> => {
      try {
        const loaded = await get<Value>(path)
        if (isLate) return
        setValue(() => loaded)
        setFault(null)
      } catch (error) {
        const { message, next } = error as RefusedRequest
        if (!isLate) setFault(`${message}. ${next}`)
      }
      if (!isLate && everyMs !== undefined) timer = setTimeout(reload, everyMs)
    }
    const reload = (): void => {
      if (document.visibilityState === 'visible') void load()
      else timer = setTimeout(reload, everyMs)
    }
    void load()
    return () => {
      isLate = true
      clearTimeout(timer)
    }
  }, [path, everyMs])
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {fault !== null && (
        <p class="notice bad">
          <IsolatedText text={fault} />
        </p>
      )}
      {value === null && fault === null ? <p class="loading">Looking…</p> : value !== null && children(value)}
    </section>
  )
}

/** A table that scrolls by itself on a narrow screen. */
export const Table = ({
  columns,
  children,
}: {
  readonly columns: readonly (string | readonly [title: string, kind: 'number'])[]
  readonly children: ComponentChildren
}) => (
  <Scroll>
    <table class="list">
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === 'string' ? (
              <th key={column} scope="col">
                <IsolatedText text={column} />
              </th>
            ) : (
              <th key={column[0]} scope="col" class="number">
                {column[0]}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </Scroll>
)
