import { describe, expect, it } from 'vitest'
import { MemoryStore } from '../../stores/memory.ts'
import { inStore } from '../storage.ts'
import { openAccountable } from './accountable.ts'

/** As many events as each commit to a trace has, and whether the disk was waited for. */
class CountingStore extends MemoryStore {
  readonly commits: { readonly trace: string; readonly types: readonly string[]; readonly later: boolean }[] =
    []

  override append(...given: Parameters<MemoryStore['append']>): Promise<void> {
    const [trace, , events, , later = false] = given
    const types = events.map(({ header }) => JSON.parse(Buffer.from(header).toString()).type as string)
    this.commits.push({ trace, types, later })
    return super.append(...given)
  }
}

async function session(gate: boolean, policy?: { name: string; text: string }) {
  const store = new CountingStore()
  const opened = await openAccountable({
    gate,
    storage: await inStore(store),
    ...(policy && { policy: policy as never }),
  })
  const commits = () => store.commits.filter(({ trace }) => trace === opened.trace)
  return { opened, commits }
}

describe('announcing a call', () => {
  it('AGT-X-7 signs, judges and starts a call in one commit that is on disk before it runs', async () => {
    const { opened, commits } = await session(false)
    await opened.run({ tool: 'a', input: {} }, () => 'opens the session')
    const before = commits().length
    let atRun: unknown[] = []
    await opened.run({ tool: 'a', input: { n: 1 } }, () => {
      atRun = commits().slice(before)
    })
    const types = ['tool_intent_signed', 'intent_assessed', 'intent_approved', 'tool_execution_started']
    expect(atRun).toEqual([{ trace: opened.trace, types, later: false }])
    expect(commits().slice(before + 1)).toEqual([
      { trace: opened.trace, types: ['tool_execution_completed'], later: true },
    ])
  })

  it('AGT-X-7 records a call that the policy cannot judge, and does not make it', async () => {
    const { opened, commits } = await session(true, { name: 'broken', text: 'permit (' })
    let isMade = false
    const run = opened.run({ tool: 'a', input: {} }, () => {
      isMade = true
    })
    await expect(run).rejects.toThrow()
    expect(isMade).toBe(false)
    expect(commits().at(-1)?.types).toEqual(['tool_intent_signed'])
  })
})
