// What a model was shown, part by part, with a link to what each part quotes.

import type { PromptPart } from '../../../../ledger/prompt.ts'
import { Id, IsolatedText, Long } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'

function Quotes({ quotes }: { readonly quotes: NonNullable<PromptPart['quotes']> }) {
  const [trace = '', seq = ''] = quotes.id.split('/')
  if (quotes.kind === 'event' && /^[0-9A-Z]{26}$/.test(trace) && /^\d+$/.test(seq)) {
    const path = tracePath(trace, 'events', Number(seq))
    return (
      <a href={path} onClick={followLink(path)}>
        quotes event {seq}
      </a>
    )
  }
  return (
    <span class="muted">
      quotes {quotes.kind} <Id text={quotes.id} short />
    </span>
  )
}

export const PromptView = ({ parts }: { readonly parts: readonly PromptPart[] }) => (
  <ol class="prompt">
    {parts.map((part, i) => (
      <li key={i} class={part.quotes ? 'quoted' : 'own'}>
        <p class="small">
          <strong>
            <IsolatedText text={part.name} />
          </strong>{' '}
          {part.quotes ? <Quotes quotes={part.quotes} /> : <span class="muted">Witan’s own words</span>}
        </p>
        <Long text={part.text} />
      </li>
    ))}
  </ol>
)
