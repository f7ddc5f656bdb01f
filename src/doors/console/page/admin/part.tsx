// A part of the administration: asked for by itself, so that a slow one keeps no other waiting, and told when it cannot be had.

import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { get, type Refused } from '../client.ts'
import { Said } from '../words/text.tsx'

export function Part<Value>({
  title,
  path,
  children,
}: {
  readonly title: string
  readonly path: string
  readonly children: (value: Value) => ComponentChildren
}) {
  const [value, setValue] = useState<Value | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    let isLate = false
    setFault(null)
    get<Value>(path).then(
      (found) => isLate || setValue(() => found),
      (error: Refused) => isLate || setFault(`${error.message}. ${error.next}`),
    )
    return () => {
      isLate = true
    }
  }, [path])
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {fault !== null && (
        <p class="notice bad">
          <Said text={fault} />
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
  <div class="scroll">
    <table class="list">
      <thead>
        <tr>
          {columns.map((column) =>
            typeof column === 'string' ? (
              <th key={column} scope="col">
                <Said text={column} />
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
  </div>
)
