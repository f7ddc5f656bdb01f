// A quote of a claim's evidence: it opens the artifact that contains it, and is marked there. The mark was
// computed here, in bytes that were digested here.

import { useState } from 'preact/hooks'
import { sha256 } from '../../../../browser/bytes.ts'
import { fromUtf8, toHex } from '../../../../ledger/bytes.ts'
import { getBytes, type RefusedRequest } from '../client.ts'
import { Id, IsolatedText, safeParts } from '../elements/text.tsx'

const CONTEXT_CHARS = 600

type Shown =
  | { readonly before: string; readonly quote: string; readonly after: string }
  | { readonly fault: string }

async function quoteIn(artifact: string, quote: string): Promise<Shown> {
  const bytes = await getBytes(`/artifacts/${artifact}`)
  if (toHex(sha256(bytes)) !== artifact) return { fault: 'The artifact has other bytes than its name says.' }
  const text = fromUtf8(bytes)
  const at = text?.indexOf(quote) ?? -1
  if (text === null || at < 0) return { fault: 'The quote does not stand in the artifact as it is.' }
  return {
    before: text.slice(Math.max(0, at - CONTEXT_CHARS), at),
    quote,
    after: text.slice(at + quote.length, at + quote.length + CONTEXT_CHARS),
  }
}

export function Quote({ artifact, quote }: { readonly artifact: string; readonly quote: string }) {
  const [shown, setShown] = useState<Shown | null>(null)
  const load = (): void =>
    void quoteIn(artifact, quote).then(setShown, (error: RefusedRequest) =>
      setShown({ fault: error.message }),
    )
  return (
    <div class="quote">
      <button
        type="button"
        class="link"
        aria-expanded={shown !== null}
        onClick={shown ? () => setShown(null) : load}
      >
        “<IsolatedText text={quote} />”
      </button>{' '}
      <Id text={artifact} short />
      {shown && 'fault' in shown && (
        <p class="bad small">
          <IsolatedText text={shown.fault} />
        </p>
      )}
      {shown && 'quote' in shown && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        <pre class="code" tabIndex={0}>
          {safeParts(shown.before)}
          <mark>{safeParts(shown.quote)}</mark>
          {safeParts(shown.after)}
        </pre>
      )}
    </div>
  )
}
