// An erasure is recorded before it is done: the registry records what is erased, by whom and why, then the
// bytes are erased. A crash in between leaves a record without erasure; repeating the command completes it.
// What others are judged by is never erased.

import { CALL_INDETERMINATE, CALL_LOST, CALL_STARTED } from '../ledger/calls.ts'
import { WitanError } from '../ledger/errors.ts'
import { artifactsOf, readHeader, readPayload } from '../ledger/event.ts'
import { FORKED } from '../ledger/fork.ts'
import { each, REDACTION_RECORDED, type Redaction, type RegistryState } from '../ledger/registry/registry.ts'
import type { Store } from '../stores/store.ts'
import { notFound } from './reliance/growing-trees.ts'
import type { TraceLog } from './trace-log.ts'

/** What is to be erased: a payload, or the bytes of an artifact. */
export type RedactionTarget = Redaction['target']

/** Without its fork point a fork has no parent; without its calls a started tool would be run again. */
const KEPT: ReadonlyMap<string, string> = new Map([
  [FORKED, 'it says where the trace was forked from'],
  [CALL_STARTED, 'it holds no content, and says what was called'],
  [CALL_LOST, 'it holds no content, and says what was called'],
  [CALL_INDETERMINATE, 'it holds no content, and says what was called'],
])

/** Whether a record of this type stays when everything else of its trace is erased. */
export const isErasable = (type: string): boolean => !KEPT.has(type)

const notRedactable = (what: string, why: string): WitanError =>
  new WitanError('NOT_REDACTABLE', `${what} cannot be erased: ${why}`, 'Nothing was changed.')

export function redactionOf(registry: RegistryState, target: RedactionTarget): Redaction | undefined {
  for (const redaction of each(registry.redactions)) {
    const { trace, seq, artifact } = redaction.target
    if (artifact !== target.artifact) continue
    if (artifact !== null || (trace === target.trace && seq === target.seq)) return redaction
  }
  return undefined
}

async function checkEvent(store: Store, trace: string, seq: number): Promise<void> {
  const isNumber = Number.isSafeInteger(seq) && seq >= 0
  for await (const event of isNumber ? store.read(trace, seq, seq + 1) : []) {
    const header = readHeader(event.header)
    const why = typeof header === 'string' ? undefined : KEPT.get(header.type)
    if (why !== undefined) throw notRedactable(`event ${trace}/${seq}`, why)
    return
  }
  throw new WitanError(
    'EVENT_NOT_FOUND',
    `there is no event ${trace}/${seq}`,
    `Nothing was changed. See \`witan show ${trace}\` for those there are.`,
  )
}

/** Whether the trace names the artifact, or may have done so in a payload that is erased by now. */
async function names(store: Store, trace: string, artifact: string): Promise<boolean> {
  for await (const event of store.read(trace)) {
    if (!event.payload) return true
    const payload = readPayload(event.payload)
    if (typeof payload === 'object' && artifactsOf(payload).some(({ hash }) => hash === artifact)) return true
  }
  return false
}

async function check(store: Store, registry: string, target: RedactionTarget): Promise<void> {
  const { trace, seq, artifact } = target
  if ((seq === null) === (artifact === null))
    throw new WitanError(
      'USAGE',
      'one event or one artifact is erased at a time',
      'Name the one or the other.',
    )
  if (trace === registry) throw notRedactable('the registry', 'everything else is judged by it')
  if (!(await store.head(trace))) throw notFound(trace)
  if (seq !== null) return checkEvent(store, trace, seq)
  const already =
    artifact !== null && (await store.statArtifact(artifact)) && (await names(store, trace, artifact))
  if (!already)
    throw new WitanError(
      'ARTIFACT_NOT_FOUND',
      `${trace} has no artifact ${artifact}`,
      `Nothing was changed. See \`witan show ${trace} --json\` for those there are.`,
    )
}

export async function redact(
  store: Store,
  registry: TraceLog<RegistryState>,
  target: RedactionTarget,
  record: (type: string, payload: () => Promise<object | null>) => Promise<void>,
  statement: { readonly by: string; readonly reason: string },
): Promise<void> {
  const { trace, seq, artifact } = target
  await record(REDACTION_RECORDED, async () => {
    if (redactionOf(registry.state, target)) return null
    await check(store, registry.trace, target)
    return { trace, seq, artifact, ...statement }
  })
  const recorded = redactionOf(registry.state, target)
  if (recorded)
    await store.erase({ ...recorded.target, registry: { trace: registry.trace, seq: recorded.seq } })
}
