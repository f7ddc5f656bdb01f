// The policies by which a session is judged, in full, when someone unfolds them: the operator's and the task's. The bytes
// are digested here before they are shown.

import { useState } from 'preact/hooks'
import { sha256 } from '../../../../browser/bytes.ts'
import { fromUtf8, toHex } from '../../../../ledger/bytes.ts'
import { getBytes, type Refused } from '../client.ts'
import { Long, Said } from '../words/text.tsx'

interface Policy {
  readonly whose: string
  readonly name: string
  readonly text: string
}

type Looked = { readonly policies: readonly Policy[] } | { readonly fault: string }

const isFile = (value: unknown): value is { readonly name: string; readonly text: string } => {
  const { name, text } = (value ?? {}) as Partial<Record<'name' | 'text', unknown>>
  return typeof name === 'string' && typeof text === 'string'
}

/** Null for text of another form. */
function policiesIn(text: string): readonly Policy[] | null {
  try {
    const sets = Object.entries(JSON.parse(text) as object)
    const found = sets.flatMap(([whose, files]) =>
      (files as readonly unknown[]).map((file) => (isFile(file) ? { whose, ...file } : null)),
    )
    const policies = found.filter((policy) => policy !== null)
    return policies.length === found.length && found.length > 0 ? policies : null
  } catch {
    return null
  }
}

/** Most often both are the same: it is read once then. */
function together(policies: readonly Policy[]): readonly Policy[] {
  const kept = new Map<string, Policy>()
  for (const policy of policies) {
    const key = JSON.stringify([policy.name, policy.text])
    const same = kept.get(key)
    kept.set(key, same ? { ...same, whose: `${same.whose} and ${policy.whose}` } : policy)
  }
  return [...kept.values()]
}

async function read(artifact: string): Promise<Looked> {
  const bytes = await getBytes(`/artifacts/${artifact}`)
  if (toHex(sha256(bytes)) !== artifact)
    return { fault: 'ALTERED: other bytes than the session was opened with.' }
  const text = fromUtf8(bytes)
  if (text === null) return { fault: 'It is no text.' }
  return { policies: together(policiesIn(text) ?? [{ whose: 'policy', name: '', text }]) }
}

export function PolicyText({ artifact }: { readonly artifact: string }) {
  const [looked, setLooked] = useState<Looked | null>(null)
  const [isAsked, setAsked] = useState(false)
  const look = (isOpen: boolean): void => {
    if (!isOpen || isAsked) return
    setAsked(true)
    void read(artifact).then(setLooked, ({ message }: Refused) => setLooked({ fault: message }))
  }
  return (
    <details onToggle={(event) => look(event.currentTarget.open)}>
      <summary>What it says</summary>
      {isAsked && looked === null && <p class="loading">Reading…</p>}
      {looked && 'fault' in looked && (
        <p class="bad">
          <Said text={looked.fault} />
        </p>
      )}
      {looked &&
        'policies' in looked &&
        looked.policies.map(({ whose, name, text }) => (
          <div key={whose}>
            <h3>
              <Said text={name === '' ? whose : `${name}, of the ${whose}`} />
            </h3>
            <Long text={text} mono />
          </div>
        ))}
    </details>
  )
}
