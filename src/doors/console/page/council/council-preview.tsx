// Exactly what a council would send to which provider and its maximum cost, before anything is sent.

import { unseenInWords } from '../../../../council/size/notices.ts'
import { bytes, count, IsolatedText, Long, money } from '../elements/text.tsx'

interface Preview {
  readonly sends: boolean
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly lines: number }[]
  readonly left_out: readonly { readonly path: string; readonly reason: string }[]
  /** Files that no seat would be shown completely. */
  readonly unseen: Parameters<typeof unseenInWords>[0]['files']
  readonly portions: number
  readonly secretsRemoved: number
  readonly parts: readonly { readonly name: string; readonly text: string }[]
  readonly prompts: readonly { readonly system: string; readonly text: string }[]
  readonly seats_left_out: readonly { readonly seat: string; readonly reason: string }[]
  readonly estimate: {
    readonly calls: number
    readonly tokens_in: number
    readonly tokens_out: number
    readonly cost: number | null
    readonly unknown: readonly string[]
  }
  readonly seats: readonly {
    readonly seat: string
    readonly provider: string
    readonly model: string | null
  }[]
}

/** A planned council that waits for consent. */
export interface PlannedCouncil {
  readonly token: string
  readonly preview: Preview
  readonly question: string
  readonly removed: number
}

export function CouncilPreview({
  planned,
  begin,
  back,
}: {
  readonly planned: PlannedCouncil
  readonly begin: () => void
  readonly back: () => void
}) {
  const { preview, question, removed } = planned
  const { estimate } = preview
  return (
    <section class="preview" aria-labelledby="preview-title">
      <h2 id="preview-title">{preview.sends ? 'This would be sent' : 'Nothing would leave this machine'}</h2>
      <dl class="facts">
        <div>
          <dt>To</dt>
          <dd>
            <IsolatedText
              text={preview.seats.map(({ seat, model }) => (model ? `${seat} (${model})` : seat)).join(', ')}
            />
          </dd>
        </div>
        <div>
          <dt>At most</dt>
          <dd>
            {count(estimate.calls, 'call')}, {estimate.tokens_in.toLocaleString('en')} tokens in,{' '}
            {estimate.tokens_out.toLocaleString('en')} out
          </dd>
        </div>
        <div>
          <dt>Estimated cost</dt>
          <dd>
            {estimate.cost === null ? `not known for ${estimate.unknown.join(', ')}` : money(estimate.cost)}
          </dd>
        </div>
      </dl>
      <h3>Question</h3>
      <Long text={question} />
      {removed > 0 && <p class="notice warning">{count(removed, 'secret')} taken out of what you typed.</p>}
      {preview.secretsRemoved > 0 && (
        <p class="notice warning">{count(preview.secretsRemoved, 'secret')} taken out of the files.</p>
      )}
      {preview.unseen.length > 0 && (
        <p class="notice warning">
          <IsolatedText text={unseenInWords({ count: preview.unseen.length, files: preview.unseen })} />
        </p>
      )}
      {preview.seats_left_out.map(({ seat, reason }) => (
        <p key={seat} class="warning small">
          <IsolatedText text={`${seat} is left out: ${reason}`} />
        </p>
      ))}
      {preview.files.length > 0 && (
        <>
          <h3>{count(preview.files.length, 'file')}</h3>
          <ul>
            {preview.files.map((file) => (
              <li key={file.path}>
                <code>
                  <IsolatedText text={file.path} />
                </code>{' '}
                <span class="muted small">{bytes(file.bytes)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {preview.left_out.length > 0 && (
        <details>
          <summary>{count(preview.left_out.length, 'file')} left out</summary>
          <ul>
            {preview.left_out.map(({ path, reason }) => (
              <li key={path}>
                <code>
                  <IsolatedText text={path} />
                </code>{' '}
                <span class="muted">
                  <IsolatedText text={reason} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {preview.parts.map((part, i) => (
        <details key={i}>
          <summary>
            The exact text: <IsolatedText text={part.name.replace(/^context:/, '')} />
          </summary>
          <Long text={part.text} mono />
        </details>
      ))}
      {preview.prompts.map(({ system, text }, i) => (
        <details key={i}>
          <summary>
            The whole prompt of round 1{preview.portions > 1 && `, part ${i + 1} of ${preview.portions}`} (the
            code of its tags is drawn when it begins)
          </summary>
          <Long text={`${system}\n\n${text}`} mono />
        </details>
      ))}
      <p class="actions">
        <button type="button" class="primary" onClick={begin}>
          {preview.sends ? 'Send it and begin' : 'Begin'}
        </button>
        <button type="button" onClick={back}>
          Change it
        </button>
      </p>
    </section>
  )
}
