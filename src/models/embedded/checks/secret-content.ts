// Secrets in what the change adds. An obviously made-up value is dismissed with its reason, one in a test,
// fixture or document weighs less; the value itself is never repeated. Where a secret was removed before the
// panel saw the text, its marker is reported.

import { type Secret, secretsIn } from '../../../ledger/secrets/find.ts'
import { MARKER } from '../../../ledger/secrets/remove.ts'
import type { Change } from '../change.ts'
import type { Check, Hit, Rule } from '../finding.ts'
import { excuseOf, isLockFile } from '../paths.ts'

const KINDS: readonly (readonly [id: string, severity: Rule['severity'], what: string])[] = [
  ['001', 'critical', 'A private key'],
  ['002', 'critical', 'An OpenAI key'],
  ['003', 'critical', 'An Anthropic key'],
  ['004', 'critical', 'A Google key'],
  ['005', 'high', 'An AWS access key id'],
  ['006', 'critical', 'An AWS secret access key'],
  ['007', 'critical', 'A token of a code host or package registry'],
  ['008', 'critical', 'A Slack token or webhook'],
  ['009', 'critical', 'A Stripe key'],
  ['010', 'medium', 'A signed web token (JWT)'],
  ['011', 'high', 'A vendor token'],
  ['012', 'high', 'A password inside an address'],
  ['013', 'medium', 'A random-looking value under the name of a secret'],
  ['015', 'high', 'A credential in a header of a request'],
  ['016', 'high', 'A webhook or the token of a bot'],
  ['017', 'high', 'A password in plain words'],
  ['018', 'high', 'A value of a Kubernetes or Docker secret'],
]
const SECRET_RULES: readonly Rule[] = KINDS.map(([id, severity, what]) => ({
  id: `WITAN-SECRET-${id}`,
  severity,
  category: 'security',
  description: `${what} stands in the text.`,
  rationale:
    'Everyone who can read the repository or its history can use it; removing the line later does not take it back.',
  fix: 'Revoke it at its issuer, put the new one into the environment or a secret store, and rewrite the history that holds it.',
}))
const BY_ID = new Map(SECRET_RULES.map((rule) => [rule.id, rule]))
const VENDOR_TOKEN = 'WITAN-SECRET-011'
/** Secrets that someone removed and marked. */
function* taken(line: { readonly number: number; readonly text: string }): Generator<Found> {
  if (!line.text.includes('[secret removed: ')) return
  for (const [, id = '', madeUp] of line.text.matchAll(MARKER)) {
    const rule = BY_ID.get(id) ?? BY_ID.get(VENDOR_TOKEN)
    if (id === 'key-material' || !rule) continue
    const excuse = madeUp ? 'It looked made up and was taken out.' : null
    yield { rule: rule.id, severity: rule.severity, line: line.number, excuse }
  }
}
type Found = Pick<Secret, 'rule' | 'severity' | 'line' | 'excuse'>
function hit(secret: Found, path: string): Hit | null {
  const rule = BY_ID.get(secret.rule)
  if (!rule) return null
  const place = { rule, path, line: secret.line }
  if (secret.excuse) return { ...place, dismissed: secret.excuse }
  const excuse = excuseOf(path)
  // A telltale name in a test is nearly always a made-up value.
  if (excuse && ['WITAN-SECRET-012', 'WITAN-SECRET-013', 'WITAN-SECRET-017'].includes(rule.id))
    return { ...place, dismissed: excuse }
  if (excuse) return { ...place, severity: 'low', note: excuse }
  return { ...place, severity: secret.severity }
}

export const secretContent: Check = {
  rules: SECRET_RULES,
  *find(change: Change) {
    for (const file of change.files) {
      if (isLockFile(file.path)) continue
      for (const secret of [
        ...secretsIn(file.path, file.added),
        ...file.added.flatMap((line) => [...taken(line)]),
      ]) {
        const secretHit = hit(secret, file.path)
        if (secretHit) yield secretHit
      }
      yield null
    }
  },
}
