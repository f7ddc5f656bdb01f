// The policies of a session, in full, when unfolded: the operator's and the task's. The bytes are digested
// here before they are shown.

import { useState } from 'preact/hooks'
import { sha256 } from '../../../../browser/bytes.ts'
import { fromUtf8, toHex } from '../../../../ledger/bytes.ts'
import { getBytes, type RefusedRequest } from '../client.ts'
import { IsolatedText, Long } from '../elements/text.tsx'

interface Policy {
  readonly whose: string
  readonly name: string
  readonly text: string
}

type LoadedPolicies = { readonly policies: readonly Policy[] } | { readonly fault: string }

const isFile = (value: unknown): value is { readonly name: string; readonly text: string } => {
  const { name, text } = (value ?? {}) as Partial<Record<'name' | 'text', unknown>>
  return typeof name === 'string' && typeof text === 'string'
}

/** Null for text of another form. */
function policiesIn(text: string): readonly Policy[] | null {
  try {
    const sets = Object.entries(JSON.parse(text) as object)
    const entries = sets.flatMap(([whose, files]) =>
      (files as readonly unknown[]).map((file) => (isFile(file) ? { whose, ...file } : null)),
    )
    const policies = entries.filter((policy) => policy !== null)
    return policies.length === entries.length && entries.length > 0 ? policies : null
  } catch {
    return null
  }
}

/** Usually both are the same: then it is read once. */
function mergeEqual(policies: readonly Policy[]): readonly Policy[] {
  const byText = new Map<string, Policy>()
  for (const policy of policies) {
    const key = JSON.stringify([policy.name, policy.text])
    const same = byText.get(key)
    byText.set(key, same ? { ...same, whose: `${same.whose} and ${policy.whose}` } : policy)
  }
  return [...byText.values()]
}

async function read(artifact: string): Promise<LoadedPolicies> {
  const bytes = await getBytes(`/artifacts/${artifact}`)
  if (toHex(sha256(bytes)) !== artifact)
    return { fault: 'ALTERED: other bytes than the session was opened with.' }
  const text = fromUtf8(bytes)
  if (text === null) return { fault: 'It is no text.' }
  return { policies: mergeEqual(policiesIn(text) ?? [{ whose: 'policy', name: '', text }]) }
}

export function PolicyText({ artifact }: { readonly artifact: string }) {
  const [loaded, setLoaded] = useState<LoadedPolicies | null>(null)
  const [isAsked, setAsked] = useState(false)
  const load = (isOpen: boolean): void => {
    if (!isOpen || isAsked) return
    setAsked(true)
    void read(artifact).then(setLoaded, ({ message }: RefusedRequest) => setLoaded({ fault: message }))
  }
  return (
    <details onToggle={(event) => load(event.currentTarget.open)}>
      <summary>What it says</summary>
      {isAsked && loaded === null && <p class="loading">Reading…</p>}
      {loaded && 'fault' in loaded && (
        <p class="bad">
          <IsolatedText text={loaded.fault} />
        </p>
      )}
      {loaded &&
        'policies' in loaded &&
        loaded.policies.map(({ whose, name, text }) => (
          <div key={whose}>
            <h3>
              <IsolatedText text={name === '' ? whose : `${name}, of the ${whose}`} />
            </h3>
            <Long text={text} mono />
          </div>
        ))}
    </details>
  )
}
