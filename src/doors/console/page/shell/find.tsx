// Search over everything that was recorded: passages with their place.

import { useEffect, useState } from 'preact/hooks'
import { get, type RefusedRequest } from '../client.ts'
import { count, IsolatedText } from '../elements/text.tsx'
import { Age } from '../elements/time.tsx'
import { followLink, tracePath } from '../route.ts'
import { protocolName } from './sidebar.tsx'

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
  const [results, setResults] = useState<Found | null>(null)
  const [fault, setFault] = useState<RefusedRequest | null>(null)
  useEffect(() => {
    let isLate = false
    setResults(null)
    setFault(null)
    if (query === '') return
    get<Found>(`/find?q=${encodeURIComponent(query)}`).then(
      (value) => isLate || setResults(value),
      (error: RefusedRequest) => isLate || setFault(error),
    )
    return () => {
      isLate = true
    }
  }, [query])
  return (
    <div class="find">
      <h1>
        <IsolatedText text={query === '' ? 'Search' : `Search: ${query}`} />
      </h1>
      {query === '' && <p class="empty">Type words into the search field: press /</p>}
      {fault && (
        <p class="notice bad" role="alert">
          <IsolatedText text={`${fault.message}. ${fault.next}`} />
        </p>
      )}
      {query !== '' && !results && !fault && <p class="loading">Searching…</p>}
      {results && (
        <p class="muted" role="status">
          {results.events.length === 0
            ? 'Nothing holds all of these words.'
            : `${count(results.events.length, 'event')}${results.has_more ? ', and more: add a word' : ''}`}
        </p>
      )}
      <ol class="found">
        {results?.events.map((event) => {
          const path = tracePath(event.trace, 'events', event.seq)
          return (
            <li key={`${event.trace}/${event.seq}`}>
              <a href={path} onClick={followLink(path)} data-entry class="found-entry">
                <span class="entry-facts">
                  <span class={`kind kind-${protocolName(event.protocol)}`}>
                    {protocolName(event.protocol)}
                  </span>
                  <IsolatedText text={event.by} />
                  <span class="muted">{event.type}</span>
                  <span class="spacer" />
                  <Age at={event.at} />
                </span>
                <span class="passage">
                  <IsolatedText text={event.passage} />
                </span>
                <span class="muted small">
                  <IsolatedText text={results.about[event.trace] ?? event.trace} />
                </span>
              </a>
            </li>
          )
        })}
      </ol>
    </div>
  )
}
