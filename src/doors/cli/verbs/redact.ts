// `witan redact`: erases content for good and says so in the registry. What was erased cannot be had back, so the
// command tells what it leaves behind, unless it is to erase that too: the artifacts of an event outlive its payload,
// and so does every prompt that quoted it.

import { type Home, signingRegistrar, withHome } from '../../../app/home/home.ts'
import { userName } from '../../../app/home/user-name.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { promptsQuoting, type Quoting } from '../../../clerk/quoting-prompts.ts'
import { redactionOf } from '../../../clerk/redaction.ts'
import { isHash } from '../../../ledger/bytes.ts'
import { artifactsOf, readPayload } from '../../../ledger/event.ts'
import { plain } from '../../../render/plain.ts'
import type { Verb } from '../command.ts'
import { parseCount, usage } from '../parse.ts'

/** Artifacts that the payload names and the home still holds. */
async function artifactsLeft(home: Home, trace: string, seq: number): Promise<string[]> {
  const left: string[] = []
  for await (const event of home.store.read(trace, seq, seq + 1)) {
    const payload = event.payload && readPayload(event.payload)
    if (typeof payload !== 'object' || !payload) continue
    for (const { hash } of artifactsOf(payload)) if (await home.store.statArtifact(hash)) left.push(hash)
  }
  return left
}

const commandFor = (trace: string, hash: string): string =>
  `  witan redact ${trace} --artifact ${hash} --reason TEXT`

function leftLines(trace: string, left: readonly string[], quoting: readonly Quoting[]): readonly string[] {
  return [
    ...(left.length > 0 ? ['Its artifacts are still stored. Erase them too with:'] : []),
    ...left.map((hash) => commandFor(trace, hash)),
    ...(quoting.length > 0 ? ['Prompts that quote it are still stored. Erase them too with:'] : []),
    ...quoting.map(({ trace: where, artifact }) => commandFor(where, artifact)),
  ]
}

export const run: Verb = (call) =>
  withHome({ directory: call.home, mode: 'write', postgres: call.postgres }, async (home) => {
    const [name = '', number] = call.args
    const artifact = call.text('artifact')?.toLowerCase() ?? null
    if ((number === undefined) === (artifact === null)) {
      throw usage('one event or one artifact is erased at a time', 'Give SEQ, or --artifact HASH.')
    }
    if (artifact !== null && !isHash(artifact)) {
      throw usage('--artifact is not a SHA-256 hash', 'Copy its 64 hex digits from `witan show TRACE SEQ`.')
    }
    const seq = number === undefined ? null : parseCount(number, 'SEQ')
    const reason = call.text('reason') ?? ''
    const by = call.text('by') ?? userName()
    const trace = await findTrace(home.store, name)
    const registrar = await signingRegistrar(home)
    const target = { trace, seq, artifact }
    const before = redactionOf(registrar.log.state, target)
    call.progress('Erasing…')
    const own = seq === null ? [] : await artifactsLeft(home, trace, seq)
    const others = await promptsQuoting(home.store, home.ports.sha256, target)
    const quoting = others.filter((one) => !own.includes(one.artifact))
    await registrar.redact(target, by, reason)
    const isEverywhere = call.flag('everywhere')
    const more = [...own.map((hash) => ({ trace, artifact: hash })), ...quoting]
    for (const one of isEverywhere ? more : [])
      await registrar.redact({ trace: one.trace, seq: null, artifact: one.artifact }, by, reason)
    const [left, quotedIn] = isEverywhere ? [[], []] : [own, quoting]
    const recorded = redactionOf(registrar.log.state, target)
    const what = seq === null ? `artifact ${artifact}` : `the payload of ${trace}/${seq}`
    const postgres = home.store.kind === 'postgres'
    return {
      value: {
        ...target,
        by: recorded?.by ?? by,
        reason: recorded?.reason ?? reason,
        registry_seq: recorded?.seq ?? null,
        already: before !== undefined,
        also_erased: isEverywhere ? more.map((one) => one.artifact) : [],
        artifacts_left: left,
        quoted_in: quotedIn,
      },
      lines: [
        before
          ? `${what} was erased before, for ${plain(before.by)}: ${plain(before.reason)}`
          : `Erased ${what}. Header, signature and chain stay; the registry says who and why.`,
        ...(isEverywhere && more.length > 0
          ? [`Erased ${more.length} artifacts too: its own, and the prompts that quoted it.`]
          : []),
        ...leftLines(trace, left, quotedIn),
      ],
      brief: [],
      hints: [
        'Copies, exports and backups made before still hold it.',
        ...(postgres ? ["The server's write-ahead log and backups may hold it for a while."] : []),
      ],
    }
  })
