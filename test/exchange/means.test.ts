// By what means observers act through the command: a program without a terminal, and a person at a real one.

import { generateKeyPairSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPoolHome, type PoolHome, traceOf, verifyFault } from '../support/pool-home.ts'
import { hasTerminal, Terminal } from '../support/terminal.ts'

let house: PoolHome
let trace: string

const meansIn = async (of = trace): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries(
    (await house.events(of)).flatMap(({ type, actor, payload }) =>
      actor.role === 'observer' && type !== 'trace_forked' ? [[type, payload?.via]] : [],
    ),
  )

beforeAll(async () => {
  house = await openPoolHome()
  const terms = await house.terms('terms.yaml')
  trace = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', '3', '--json'))
})

afterAll(() => house.server.close())

describe('an act of the observer', () => {
  it('EXC-OBS-1 without a terminal is recorded as shown by no one, and the story says so', async () => {
    const injected = await house.witan('exchange', 'inject', trace, 'What about floods?', '--json')
    expect(injected.json).toMatchObject({ by: 'ana', via: 'none' })
    traceOf(await house.witan('exchange', 'say', trace, 'Stay.', '--json'))
    traceOf(await house.witan('exchange', 'pin', trace, '1.1', '--json'))
    traceOf(await house.witan('exchange', 'pin', trace, '1.1', '--undo', '--json'))
    const other = await house.terms('other.yaml', { pool: { prompt: 'Think about lakes.' } })
    traceOf(await house.witan('exchange', 'terms', trace, '--set', other, '--json'))
    traceOf(await house.witan('exchange', 'branch', trace, '--json'))
    traceOf(await house.witan('abort', trace, '--reason', 'enough', '--json'), 6)
    const acts = 'exchange_opened continued injected observer_spoke pinned unpinned terms_amended'
    const ends = 'branch_ordered branched exchange_halted'
    expect(await meansIn()).toEqual(
      Object.fromEntries(`${acts} ${ends}`.split(' ').map((type) => [type, 'none'])),
    )
    const told = (await house.witan('show', trace)).stdout.replaceAll(/\s+/g, ' ')
    expect(told).toContain('>>> ana: What about floods? done without a terminal (nothing shows a person)')
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it.skipIf(!hasTerminal)('EXC-OBS-1 at a terminal is recorded as unproven presence', async () => {
    const terms = await house.terms('again.yaml')
    const begun = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', '1', '--json'))
    const saying = new Terminal(house.where, 'exchange', 'say', begun, 'I am here.')
    expect(await saying.ended).toBe(0)
    expect(saying.screen).toContain('recorded as done at a terminal (presence not proven)')
    expect(await meansIn(begun)).toMatchObject({ exchange_opened: 'none', observer_spoke: 'terminal' })
    expect(await verifyFault(house, begun)).toBeNull()
  })
})

describe('an observer whose key is not open', () => {
  /** Types each answer when its question is read; gives the terminal when the command has ended. */
  async function enter(
    args: readonly string[],
    ...answers: readonly (readonly [question: string, answer: string])[]
  ): Promise<{ readonly code: number | null; readonly screen: string }> {
    const terminal = new Terminal(house.where, ...args)
    for (const [question, answer] of answers) {
      await terminal.reads(question)
      terminal.type(answer)
    }
    return { code: await terminal.ended, screen: terminal.screen }
  }

  const told = async (of: string): Promise<string> =>
    (await house.witan('show', of)).stdout.replaceAll(/\s+/g, ' ')

  it.skipIf(!hasTerminal)(
    'EXC-OBS-1 is asked for the passphrase, and the record says that it was entered',
    async () => {
      const made = await enter(
        ['keys', 'add', 'pia', '--role', 'observer', '--passphrase'],
        ['New passphrase for ', 'a long passphrase'],
        ['once more', 'a long passphrase'],
      )
      expect(made.code).toBe(0)
      const terms = await house.terms('pia.yaml', { observer: { name: 'pia', role: 'I watch.' } })
      const run = ['exchange', 'run', '--terms', terms, '--rounds', '1']
      const refused = await house.witan(...run, '--json')
      expect(refused.json).toMatchObject({ error: { code: 'KEY_LOCKED' } })
      const begun = await enter(run, ['Passphrase of pia', 'a long passphrase'])
      expect(begun.code).toBe(0)
      const of = traceOf(await house.witan('exchange', 'status', '--json'))
      const wrong = await enter(['exchange', 'say', of, 'Not me.'], ['Passphrase of pia', 'another one'])
      expect(wrong.code).not.toBe(0)
      const said = await enter(
        ['exchange', 'say', of, 'It is me.'],
        ['Passphrase of pia', 'a long passphrase'],
      )
      expect(said.screen).toContain('recorded as done with a passphrase')
      const ended = await enter(
        ['abort', of, '--reason', 'enough'],
        ['End it?', 'y'],
        ['Passphrase of pia', 'a long passphrase'],
      )
      expect(ended.code).toBe(6)
      const via = 'passphrase'
      expect(await meansIn(of)).toEqual({
        exchange_opened: via,
        continued: via,
        observer_spoke: via,
        exchange_halted: via,
      })
      expect(await told(of)).toContain('[OBSERVER] pia: It is me. done with a passphrase')
      expect(await verifyFault(house, of)).toBeNull()
    },
  )

  it('EXC-OBS-1 signs with the file that they brought, and the record says so', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const [file, half] = [join(house.where.cwd, 'bea.pem'), join(house.where.cwd, 'bea.pub')]
    await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
    await writeFile(half, publicKey.export({ format: 'pem', type: 'spki' }))
    traceOf(await house.witan('keys', 'add', 'bea', '--role', 'observer', '--public', half, '--json'))
    const terms = await house.terms('bea.yaml', { observer: { name: 'bea', role: 'I watch.' } })
    const run = ['exchange', 'run', '--terms', terms, '--rounds', '1', '--json']
    expect((await house.witan(...run)).json).toMatchObject({ error: { code: 'KEY_NOT_FOUND' } })
    const of = traceOf(await house.witan(...run, '--key', file))
    const injected = await house.witan('exchange', 'inject', of, 'What about ice?', '--key', file, '--json')
    expect(injected.json).toMatchObject({ by: 'bea', via: 'file' })
    expect(await meansIn(of)).toEqual({ exchange_opened: 'file', continued: 'file', injected: 'file' })
    expect(await told(of)).toContain('>>> bea: What about ice? done with a key file')
    const other = await house.witan('exchange', 'inject', trace, 'As ana.', '--key', file, '--json')
    expect(other.json).toMatchObject({ error: { code: 'USAGE' } })
    expect(await verifyFault(house, of)).toBeNull()
  })
})
