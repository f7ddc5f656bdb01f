// Two that close the same attached session at once, as the hook of a host's end and `witan agents close` may: each is a
// home of its own, as in two processes, and one is delayed where it is about to write.

import { writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { type Closed, closeAttached } from '../../src/app/attach/close-session.ts'
import { type Home, openHome } from '../../src/app/home/home.ts'
import { announcing, attached, type Bench } from './attached-host.ts'
import { witan } from './command.ts'

const line = (message: object): string => `${JSON.stringify({ message })}\n`

/** What Claude's transcript says of a call. */
const toolUse = (id: string): string =>
  line({ content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'echo hi' } }] })
const toolResult = (id: string): string =>
  line({ content: [{ type: 'tool_result', tool_use_id: id, content: 'hi' }] })

function once() {
  let happen: () => void = () => undefined
  const happened = new Promise<void>((resolve) => {
    happen = resolve
  })
  return { happened, happen: () => happen() }
}

/** Before its nth append to the trace this home waits for `work`. */
function holdUp({ store }: Home, trace: string, nth: number, work: () => Promise<unknown>): void {
  const append = store.append.bind(store)
  let appends = 0
  store.append = async (...given) => {
    if (given[0] === trace && ++appends === nth) await work()
    return append(...given)
  }
}

async function typesOf({ store }: Home, trace: string): Promise<readonly string[]> {
  const types: string[] = []
  for await (const { header } of store.read(trace))
    types.push(JSON.parse(Buffer.from(header).toString()).type as string)
  return types
}

/** One call that only the transcript ends, and two gaps. */
async function openSession(): Promise<{ bench: Bench; trace: string }> {
  const bench = await attached('claude', '--no-resident')
  const call = announcing(bench, 'Bash')
  await bench.tell(call)
  const id = String(call.tool_use_id)
  await writeFile(bench.transcript, [id, 'unseen-1', 'unseen-2'].map(toolUse).join('') + toolResult(id))
  const { json } = await witan(bench, 'list', '--json')
  return { bench, trace: (json.traces as readonly { trace: string }[])[0]?.trace ?? 'none' }
}

/** Closes until it is about to make its nth append, and continues once `until` is over. */
function closeUpTo(home: Home, trace: string, nth: number, until: Promise<unknown>) {
  const isReached = once()
  holdUp(home, trace, nth, async () => {
    isReached.happen()
    await until
  })
  const closed = closeAttached(home, trace, 'closed')
  return { closed, reached: Promise.race([isReached.happened, closed]) }
}

const NEVER = 1_000

const homeOf = ({ home }: Bench): Promise<Home> => openHome({ directory: home, mode: 'write' })

describe('two that close one session of a host', () => {
  it.each([
    ['before one writes anything the other closes it', 1, NEVER],
    ['before one says that it is over the other closes it', 4, NEVER],
    ['before one writes anything the other records all gaps, and waits for it', 1, 4],
  ])('AGT-X-7 record each gap and each end once: %s', async (_, slowAt, quickAt) => {
    const { bench, trace } = await openSession()
    const [slow, quick] = [await homeOf(bench), await homeOf(bench)]
    try {
      const isClosed = once()
      let other: Promise<Closed> | null = null
      holdUp(slow, trace, slowAt, () => {
        const { closed, reached } = closeUpTo(quick, trace, quickAt, isClosed.happened)
        other = closed
        return reached
      })
      const closed = await closeAttached(slow, trace, 'ended').finally(isClosed.happen)
      const expected = { status: 'completed', gaps: 2, calls: 1 }
      expect([closed, await other]).toMatchObject([expected, expected])
      const types = await typesOf(quick, trace)
      const ends = ['tool_execution_completed', 'host_session_ended', 'final_statement_signed']
      expect(types.filter((type) => ends.includes(type)).toSorted()).toEqual(ends.toSorted())
      expect(types.filter((type) => type === 'gap_recorded')).toHaveLength(2)
    } finally {
      await Promise.all([slow.close(), quick.close()])
    }
    expect((await witan(bench, 'verify', 'last', '--json')).json.status).toBe('pass-with-warnings')
  })
})
