// What a program brings of its own may break: a model that throws is a failed seat, a tool that throws a failed
// execution, and neither ends the run. Own models answer in plain text.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { opinion, report, review, target } from '../../../test/fakes/council.ts'
import { inStore } from '../../app/storage.ts'
import { type OwnQuestion, ownModel } from '../../models/own-model.ts'
import { createSeat } from '../../models/seat/seat.ts'
import { agents, type Toolset } from './agents.ts'
import { configuredSeats, council } from './council.ts'

const time = { now: () => performance.now(), sleep: async () => undefined }

/** Says as text what is asked for, for as many opinions as are shown. */
function inText({ schema }: OwnQuestion): string {
  const properties = (schema?.properties ?? {}) as object
  if ('decision' in properties) return JSON.stringify(report({ rationale: [], answered_critiques: [] }))
  if ('targets' in properties) return JSON.stringify(review({ targets: [target('A')] }))
  return JSON.stringify(opinion())
}

const seatOf = (provider: string, answer: (question: OwnQuestion) => string | Promise<string>) => ({
  seat: createSeat({
    provider,
    model: null,
    roles: ['participant'],
    minds: [ownModel({ provider, answer })],
    time,
  }),
})

let folder: string | null = null
afterEach(async () => {
  if (folder !== null) await rm(folder, { recursive: true })
  folder = null
})

describe('APP-5 the parts that a program provides', () => {
  it('a model that throws is a failed seat, and those that answer in text are heard', async () => {
    const broken = seatOf('broken', () => {
      throw new Error('the wire is cut')
    })
    const asking = { provider: 'own', ask: () => Promise.reject(new Error('no seat of mine')) }
    const seats = [seatOf('a', inText), seatOf('b', inText), broken, { seat: asking }]
    const run = council({ question: 'Shall we?', seats, policy: { short_circuit: { enabled: false } } })
    const failed: string[] = []
    for await (const { type, payload } of run) {
      if (type === 'opinion_failed') failed.push(JSON.stringify(payload))
    }
    const result = await run.result
    expect(result.report).not.toBeNull()
    expect(failed).toHaveLength(2)
    expect(failed.join()).toContain('the wire is cut')
    expect(failed.join()).toContain('no seat of mine')
  })

  it('twelve models at once leave no warning of too many listeners', async () => {
    const warned: string[] = []
    const note = ({ name, message }: Error) => warned.push(`${name}: ${message}`)
    process.on('warning', note)
    try {
      const { signal } = new AbortController()
      const late = async (question: OwnQuestion): Promise<string> => {
        await new Promise((resolve) => setTimeout(resolve, 20))
        return inText(question)
      }
      const seats = Array.from({ length: 12 }, (_, i) => seatOf(`m${i}`, late))
      const { rounds } = await council({ question: 'Shall we?', seats, signal }).result
      expect(rounds[0].opinions).toHaveLength(12)
      // A warning is emitted on the next tick of the loop.
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('warning', note)
    }
    expect(warned).toEqual([])
  })

  it('a tool that throws is a failed execution', async () => {
    const toolsets: Toolset = {
      tools: async () => [
        {
          name: 'desk.stamp',
          description: 'Stamps a paper.',
          inputSchema: { type: 'object', properties: { paper: { type: 'string' } }, required: ['paper'] },
          effects: ['read'],
          source: 'desk',
        },
      ],
      call: () => Promise.reject(new Error('out of ink')),
      close: async () => undefined,
    }
    const step = {
      id: 'stamp',
      tool: 'desk.stamp',
      input: { paper: 'x' },
      justification: 'to have it stamped',
    }
    const session = agents({
      task: { objective: 'Stamp it', proposals: [{ objective: 'Stamp it', steps: [step], claims: [] }] },
      toolsets,
      storage: await inStore(),
    })
    const failed: unknown[] = []
    const types: string[] = []
    for await (const { type, payload } of session) {
      types.push(type)
      if (type === 'tool_execution_failed') failed.push(payload)
    }
    await session.result
    expect(failed).toMatchObject([{ error_type: 'crashed', error_message: 'desk.stamp threw: out of ink' }])
    expect(types).not.toContain('call_indeterminate')
  })

  it('the seats of the settings are seats like any other', async () => {
    folder = await mkdtemp(join(tmpdir(), 'witan-seats-'))
    const file = join(folder, 'config.yaml')
    await writeFile(
      file,
      'council:\n  providers: [{name: ollama, model: m, base_url: "http://127.0.0.1:9/v1"}]\n',
    )
    const seats = await configuredSeats({ home: folder })
    expect(seats).toMatchObject([
      { name: 'ollama', vendor: '127.0.0.1:9', seat: { provider: 'ollama', model: 'm' } },
    ])
  })
})
