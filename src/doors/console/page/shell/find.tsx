// Words found in everything that was recorded, as passages with their place.

import { useEffect, useState } from 'preact/hooks'
import { get, type Refused } from '../client.ts'
import { stay, tracePath } from '../route.ts'
import { count, Said } from '../words/text.tsx'
import { Age } from '../words/time.tsx'
import { kindOf } from './sidebar.tsx'

interface Found {
  readonly events: readonly {
    readonly trace: string
    readonly seq: number
    readonly protocol: string
    readonly at: string
    readonly type: string
    readonly by: string
    readonly passage: string
  }[]
  readonly about: Readonly<Record<string, string | null>>
  readonly has_more: boolean
}

export function Find({ query }: { readonly query: string }) {
  const [found, setFound] = useState<Found | null>(null)
  const [fault, setFault] = useState<Refused | null>(null)
  useEffect(() => {
    let isLate = false
    setFound(null)
    setFault(null)
    if (query === '') return
    get<Found>(`/find?q=${encodeURIComponent(query)}`).then(
      (value) => isLate || setFound(value),
      (error: Refused) => isLate || setFault(error),
    )
    return () => {
      isLate = true
    }
  }, [query])
  return (
    <div class="find">
      <h1>
        Search: <Said text={query} />
      </h1>
      {query === '' && <p class="empty">Type words into the search field: press /</p>}
      {fault && (
        <p class="notice bad" role="alert">
          <Said text={`${fault.message}. ${fault.next}`} />
        </p>
      )}
      {query !== '' && !found && !fault && <p class="loading">Searching…</p>}
      {found && (
        <p class="muted" role="status">
          {found.events.length === 0
            ? 'Nothing holds all of these words.'
            : `${count(found.events.length, 'event')}${found.has_more ? ', and more: add a word' : ''}`}
        </p>
      )}
      <ol class="found">
        {found?.events.map((event) => {
          const path = tracePath(event.trace, 'events', event.seq)
          return (
            <li key={`${event.trace}/${event.seq}`}>
              <a href={path} onClick={stay(path)} data-entry class="found-entry">
                <span class="entry-facts">
                  <span class={`kind kind-${kindOf(event.protocol)}`}>{kindOf(event.protocol)}</span>
                  <Said text={event.by} />
                  <span class="muted">{event.type}</span>
                  <span class="spacer" />
                  <Age at={event.at} />
                </span>
                <span class="passage">
                  <Said text={event.passage} />
                </span>
                <span class="muted small">
                  <Said text={found.about[event.trace] ?? event.trace} />
                </span>
              </a>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
