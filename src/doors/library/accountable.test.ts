import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../../../test/support/sources.ts'
import { loadProtocols } from '../../app/protocols.ts'
import { wholeBundle } from '../../clerk/extract.ts'
import { examine } from '../../stores/verify-answers.ts'
import { accountable, inStore, openAccountable } from './agents.ts'

describe('accountable tools', () => {
  it('AGT-X-9 records the calls of plain functions, with results and failures, in a trace that verifies', async () => {
    const storage = await inStore()
    const session = await openAccountable({
      order: { objective: 'Count' },
      storage,
      name: 'counter',
      version: '3',
    })
    const tools = accountable(
      {
        add: (a: number, b: number) => a + b,
        fail: async () => {
          throw new Error('no such thing')
        },
      },
      session,
    )
    expect(await tools.add(1, 2)).toBe(3)
    await expect(tools.fail()).rejects.toThrow('no such thing')
    const { status, proven } = await session.close()
    expect([status, proven[0]?.text]).toEqual([
      'completed',
      'counter 3, as it says, announced 2 tool calls: 1 completed, 1 failed. Nothing was gated.',
    ])
    const { store } = storage.ports
    const bundle = await wholeBundle(store, session.trace)
    const report = await examine(bundle, store, { keys: [], checkpoints: [] }, await loadProtocols(bundle))
    expect(report.failures.map(({ code }) => code)).toEqual(['TRUST_UNPINNED'])
  })

  it('AGT-X-9 makes no blocked call, and a call that a person allowed exactly once', async () => {
    const made: string[] = []
    let isAllowed = false
    const session = await openAccountable({
      gate: true,
      effects: { look: ['read'] },
      decide: async () => (isAllowed ? { as: 'approve', minutes: 5, reason: 'seen' } : null),
    })
    const tools = accountable(
      { look: () => made.push('look'), wipe: (what: string) => made.push(`wipe ${what}`) },
      session,
    )
    await tools.look()
    await expect(Promise.resolve(tools.wipe('a'))).rejects.toThrow('needs a person')
    isAllowed = true
    await tools.wipe('a')
    expect(made).toEqual(['look', 'wipe a'])
    expect((await session.close()).proven[0]?.text).toContain('2 tool calls: 2 completed.')
  })

  it.each<[string, object, RegExp]>([
    ['an effect', { effects: { pay: ['reed'] } }, /^effects of pay: reed is no effect$/],
    ['an effect that is in no list', { effects: { pay: 'read' } }, /^effects of pay: read is no list$/],
    ['a policy', { policy: 'strikt' }, /^no policy is called strikt$/],
    ['an order', { order: { objective: ' ' } }, /^the standing order is empty$/],
    ['an order without words', { order: {} }, /^the standing order is empty$/],
  ])(
    'AGT-X-9 opens nothing where %s means nothing: under it a call could pass',
    async (_, options, message) => {
      const opened = openAccountable({ gate: true, ...options })
      await expect(opened).rejects.toMatchObject({
        code: 'USAGE',
        message: expect.stringMatching(message),
        next: expect.stringMatching(/\.$/),
      })
    },
  )

  it('AGT-X-9 changes only the call of a tool: tools of LangChain are recognised by name and invoke', async () => {
    class Adder {
      readonly name = 'add'
      readonly #base = 1
      readonly schema = { type: 'object' }
      async invoke(given: { readonly args: { readonly a: number } }) {
        return { content: given.args.a + this.#base }
      }
      base() {
        return this.#base
      }
    }
    const session = await openAccountable()
    const original = new Adder()
    const [add] = accountable([original] as const, session)
    expect([add.base(), add.schema, add instanceof Adder]).toEqual([1, original.schema, true])
    const call = { type: 'tool_call', id: 'c1', name: 'add', args: { a: 2 } }
    expect(await add.invoke(call)).toEqual({ content: 3 })
    expect((await session.close()).proven[0]?.evidence[0]?.quote).toBe('{"a":2}')
  })

  it.each([
    ['functions', /^42\ncompleted: orders unknown, as it says, announced 1 tool call: 1 completed/],
    [
      'ai-sdk',
      /^It rains in York\.\np1-i2 \(sendMail\) was not allowed: nobody asked for mail\ncompleted: .*1 completed, 1 was blocked/,
    ],
  ])('AGT-X-9 has an example that runs: %s', async (name, shows) => {
    const file = join(projectRoot, 'examples/accountable', `${name}.mjs`)
    const { stdout } = await promisify(execFile)(process.execPath, [file], {
      cwd: projectRoot,
      timeout: 60_000,
    })
    expect(stdout).toMatch(shows)
  })
})
