import { describe, expect, it } from 'vitest'
import { openKit } from '../../test/support/clerk-kit.ts'
import { openErrand, performer, runClerk } from '../../test/support/errand-run.ts'
import { utf8 } from '../ledger/bytes.ts'
import { canonicalize } from '../ledger/canonical.ts'
import type { Payload } from '../ledger/event.ts'
import type { PromptPart } from '../ledger/prompt.ts'
import type { Action } from '../protocol.ts'
import { keepRequest } from './call-records.ts'
import { promptsQuoting } from './quoting-prompts.ts'

const TERMS = { pool: 'Think about rivers.' }

const part = (quotes: PromptPart['quotes']): PromptPart => ({
  name: 'x',
  text: 'words',
  quotes,
  template: null,
})

/** Seat a is shown the question, b an artifact, c terms by their hash, d terms by their name, e nothing. */
async function asked() {
  const kit = await openKit()
  const { ports, registrar, store } = kit
  const log = await openErrand(ports, registrar, ['a', 'b', 'c', 'd', 'e'])
  const shown = await store.putArtifact(utf8('a page'))
  const hash = Buffer.from(ports.sha256(utf8(canonicalize(TERMS)))).toString('hex')
  const parts: Readonly<Record<string, PromptPart>> = {
    a: part({ kind: 'event', id: `${log.trace}/0` }),
    b: part({ kind: 'artifact', id: shown.hash }),
    c: part({ kind: 'terms', id: `${hash}#pool` }),
    d: part({ kind: 'terms', id: 'objective' }),
    e: part(null),
  }
  const kept = new Map<string, string>()
  await runClerk(ports, registrar, log, {}, async (action: Action, signal) => {
    const seat = String(action.input.seat)
    const own = parts[seat]
    if (!action.id.startsWith('ask/') || !own) return performer(ports, registrar)(action, signal)
    const request = await keepRequest(store, { system: seat, parts: [own], schema: null })
    kept.set(request.hash, seat)
    const payload = { action: action.id, seat, terms: TERMS, artifacts: [request] } as unknown as Payload
    return [{ type: 'answer_given', actor: registrar.actor('sam', 'seat'), payload }]
  })
  const quoting = async (target: { readonly seq?: number; readonly artifact?: string }) => {
    const { seq = null, artifact = null } = target
    const found = await promptsQuoting(store, ports.sha256, [{ trace: log.trace, seq, artifact }])
    for (const { trace, artifact: one, seq: at } of found) {
      const events = store.read(trace, at, at + 1)
      for await (const { payload } of events) expect(Buffer.from(payload ?? []).toString()).toContain(one)
    }
    return found.map((one) => kept.get(one.artifact))
  }
  return { kit, log, shown, kept, quoting }
}

describe('prompts that quote a text to be erased', () => {
  it('LED-14 are found by the event, the artifact or the terms they name', async () => {
    const { quoting, shown, kit, log } = await asked()
    expect(await quoting({ seq: 0 })).toEqual(['a', 'd'])
    expect(await quoting({ artifact: shown.hash })).toEqual(['b'])
    const types: string[] = []
    for await (const { header } of kit.store.read(log.trace))
      types.push(JSON.parse(Buffer.from(header).toString()).type)
    expect(await quoting({ seq: types.indexOf('answer_given') })).toEqual(['c'])
    expect(await quoting({ seq: types.indexOf('call_started') })).toEqual([])
  })

  it('LED-14 include those of other traces, and none that are erased already', async () => {
    const { quoting, kit, log, kept } = await asked()
    const other = await openErrand(kit.ports, kit.registrar, ['a'])
    const own = part({ kind: 'event', id: `${log.trace}/0` })
    const request = await keepRequest(kit.store, { system: 'other', parts: [own], schema: null })
    kept.set(request.hash, 'another trace')
    await runClerk(kit.ports, kit.registrar, other, {}, async (action, signal) => {
      if (!action.id.startsWith('ask/')) return performer(kit.ports, kit.registrar)(action, signal)
      const payload = { action: action.id, seat: 'a', artifacts: [request] } as unknown as Payload
      return [{ type: 'answer_given', actor: kit.registrar.actor('sam', 'seat'), payload }]
    })
    expect(await quoting({ seq: 0 })).toEqual(['a', 'd', 'another trace'])
    await kit.registrar.redact({ trace: other.trace, seq: null, artifact: request.hash }, 'ana', 'private')
    expect(await quoting({ seq: 0 })).toEqual(['a', 'd'])
  })
})
