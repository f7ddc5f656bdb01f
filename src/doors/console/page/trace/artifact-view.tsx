// An artifact as the trace names it, and its bytes on request: digested here, and only then shown, as text,
// as JSON, or as a size. A type that a trace states is never trusted.

import { useState } from 'preact/hooks'
import { sha256 } from '../../../../browser/bytes.ts'
import { fromUtf8, toHex } from '../../../../ledger/bytes.ts'
import type { Artifact } from '../../../../ledger/event.ts'
import { getBytes, type RefusedRequest } from '../client.ts'
import { bytes, Id, IsolatedText, Long } from '../elements/text.tsx'
import { readPromptParts } from './prompt-parts.ts'
import { PromptView } from './prompt-view.tsx'

type ContentState =
  | { readonly is: 'unasked' | 'asked' }
  | { readonly is: 'refused'; readonly why: string }
  | { readonly is: 'here'; readonly content: Uint8Array; readonly isIntact: boolean }

function Content({ content }: { readonly content: Uint8Array }) {
  if (content.length === 0) return <p class="muted">The artifact is empty.</p>
  const text = fromUtf8(content)
  if (text === null) return <p class="muted">Not text; no preview.</p>
  const prompt = readPromptParts(text)
  if (prompt !== null) return <PromptView parts={prompt} />
  return <Long text={text} mono />
}

/** Larger ones are not fetched for display. */
const MAX_BYTES = 8 << 20

export function ArtifactView({ artifact }: { readonly artifact: Artifact }) {
  const { hash, name, size, media_type: type } = artifact
  const [state, setState] = useState<ContentState>({ is: 'unasked' })
  const load = async (): Promise<void> => {
    setState({ is: 'asked' })
    try {
      const content = await getBytes(`/artifacts/${hash}`)
      setState({
        is: 'here',
        content,
        isIntact: toHex(sha256(content)) === hash && (size < 0 || content.length === size),
      })
    } catch (error) {
      setState({ is: 'refused', why: (error as RefusedRequest).message })
    }
  }
  return (
    <div class="artifact">
      <p>
        <strong>
          <IsolatedText text={name} />
        </strong>{' '}
        <span class="muted">
          {size >= 0 && `${bytes(size)}, `}
          <IsolatedText text={type} />
        </span>
      </p>
      <p>
        <Id text={hash} />
      </p>
      {state.is === 'unasked' &&
        (size > MAX_BYTES ? (
          <p class="muted">Too large to be shown here.</p>
        ) : (
          <button type="button" onClick={() => void load()}>
            Show content
          </button>
        ))}
      {state.is === 'asked' && <p class="loading">Reading…</p>}
      {state.is === 'refused' && (
        <p class="bad">
          <IsolatedText text={state.why} />
        </p>
      )}
      {state.is === 'here' && (
        <>
          <p class={state.isIntact ? 'good small' : 'bad'}>
            {state.isIntact
              ? 'These bytes have the hash that the event names.'
              : 'ALTERED: other bytes than the event names.'}
          </p>
          <Content content={state.content} />
        </>
      )}
    </div>
  )
}
