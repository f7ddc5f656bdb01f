// A form to amend the terms of an exchange: what every mind in it is told. They are checked here by the
// protocol's own rule, before anything is sent.

import { useEffect, useState } from 'preact/hooks'
import { changedKeys, readTerms, type Terms } from '../../../../exchange/terms.ts'
import { IsolatedText } from '../elements/text.tsx'
import { type ActsProps, observe } from './observe.ts'

const TEXTS = [
  ['pool', 'prompt', 'What the pool is asked'],
  ['auditor', 'spec', 'How the auditor audits'],
  ['observer', 'role', 'What you are to the pool'],
] as const

function textIn(terms: Terms, part: (typeof TEXTS)[number][0], key: string): string {
  const fields: Readonly<Record<string, unknown>> = { ...terms[part] }
  return String(fields[key] ?? '')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

export function TermsForm({ trace, state }: ActsProps) {
  const { terms } = state
  const [draft, setDraft] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  useEffect(() => setDraft(null), [state.termsHash])
  if (terms === null) return null
  const text = draft ?? JSON.stringify(terms, null, 2)
  const value = parsed(text)
  const checked = typeof value === 'string' ? value : readTerms(value)
  const changed = typeof checked === 'string' ? [] : changedKeys(terms, checked)
  const setField = (part: string, key: string, words: string): void => {
    const base = (typeof value === 'object' && value !== null ? value : terms) as Record<string, object>
    setDraft(JSON.stringify({ ...base, [part]: { ...base[part], [key]: words } }, null, 2))
  }
  return (
    <details class="form">
      <summary>Amend the terms</summary>
      {TEXTS.map(([part, key, title]) => (
        <div key={key}>
          <label for={`terms-${key}`}>{title}</label>
          <textarea
            id={`terms-${key}`}
            rows={3}
            value={typeof checked === 'string' ? textIn(terms, part, key) : textIn(checked, part, key)}
            disabled={typeof checked === 'string'}
            onInput={(event) => setField(part, key, event.currentTarget.value)}
          />
        </div>
      ))}
      <details>
        <summary>All terms, as JSON</summary>
        <textarea
          aria-label="All terms, as JSON"
          class="mono"
          rows={16}
          spellcheck={false}
          value={text}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
      </details>
      <label for="terms-reason">Reason (recorded permanently)</label>
      <input
        id="terms-reason"
        class="medium"
        value={reason}
        onInput={(event) => setReason(event.currentTarget.value)}
      />
      <p class={typeof checked === 'string' ? 'bad small' : 'small muted'} role="status">
        {typeof checked === 'string' ? (
          <IsolatedText text={checked} />
        ) : changed.length === 0 ? (
          'Nothing is changed yet.'
        ) : (
          `Changed: ${changed.join(', ')}`
        )}
      </p>
      <p class="actions">
        <button
          type="button"
          disabled={typeof checked === 'string' || changed.length === 0}
          onClick={() =>
            void observe(trace, 'amend', reason, { terms: value as object, done: () => setDraft(null) })
          }
        >
          Amend…
        </button>
        <button
          type="button"
          disabled={typeof checked === 'string' || changed.length === 0}
          onClick={() =>
            void observe(trace, 'branch', reason, {
              terms: value as object,
              course: { round: null, carry: 'window', current: false },
              done: () => setDraft(null),
            })
          }
        >
          Branch on these terms…
        </button>
      </p>
    </details>
  )
}
