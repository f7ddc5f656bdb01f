import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Occurrence } from '../../src/protocol.ts'
import { newHome, witan } from '../doors/command.ts'
import { shape } from '../support/json-shape.ts'
import { openPoolHome, type PoolHome, traceOf, verifyFault } from '../support/pool-home.ts'

let house: PoolHome
let trace: string
beforeAll(async () => {
  house = await openPoolHome()
  const terms = await house.terms('terms.yaml')
  trace = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', '6', '--json'))
})
afterAll(() => house.server.close())

const typesOf = (events: readonly Occurrence[]): readonly string[] => events.map(({ type }) => type)
const roundsOf = (events: readonly Occurrence[]): readonly string[] =>
  events.flatMap(({ type, payload }) => (type === 'round_opened' ? String(payload?.kind) : []))

describe('an exchange in batches', () => {
  it('EXC-RUN-1 runs the rounds that were granted, every third an audit with both roles, and then waits', async () => {
    const events = await house.events(trace)
    expect(roundsOf(events)).toEqual(['pool', 'pool', 'audit', 'pool', 'pool', 'audit'])
    const types = typesOf(events)
    const audit = types.indexOf('audit_written')
    expect(types.slice(audit, audit + 3)).toEqual(['audit_written', 'role_reported', 'role_reported'])
    expect(house.asked.filter(({ isAudit }) => isAudit)).toHaveLength(2)
    expect(house.asked).toHaveLength(10)
    expect((await house.witan('verify', trace)).code).toBe(0)
    expect((await house.witan('replay', trace)).code).toBe(0)
  })

  it('EXC-POOL-1 shows no mind what another wrote in private', async () => {
    expect(house.asked.filter(({ words }) => words.includes('secret of'))).toEqual([])
    expect(house.asked.some(({ words }) => words.includes('says one'))).toBe(true)
  })

  it('EXC-CLU-1 tells once that a mind goes round in circles, also over several commands', async () => {
    const terms = await house.terms('circles.yaml', { auditor: { every: 50 } })
    const pool = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', '6', '--json'))
    for (const _ of [1, 2, 3]) traceOf(await house.witan('exchange', 'run', pool, '--rounds', '1', '--json'))
    const told = (await house.events(pool)).flatMap(({ payload }) =>
      ((payload?.alarms ?? []) as readonly { readonly text: string }[]).map(({ text }) => text),
    )
    expect(told).toContain('one goes round in circles')
    expect(new Set(told).size).toBe(told.length)
  })

  it('APP-9 tells where it stands, in words and as JSON', async () => {
    const status = await house.witan('exchange', 'status', trace, '--json')
    expect(status.json).toMatchObject({
      round: 6,
      granted: 6,
      status: 'open',
      phase: 'free-running',
      note: null,
    })
    expect(shape(status.json)).toEqual([
      'clusters encoder granted level moved_to note phase restart round signal status stopped totals trace',
      {
        clusters: ['id label share size'],
        restart: [
          'alarm hear judge judged judgings scores tags themes',
          { judgings: ['asked last usd', { last: 'bore purpose' }], themes: [] },
        ],
        totals: 'asked calls failed input_tokens messages output_tokens usd',
      },
    ])
    const words = await house.witan('exchange', 'status', trace)
    expect(words.stdout).toContain('round 6')
    expect(words.stderr).toContain(`witan exchange run ${trace}`)
  })

  it('shows what the observer puts in to every mind at its next turn, and what is pinned', async () => {
    const before = house.asked.length
    traceOf(await house.witan('exchange', 'inject', trace, 'What about floods?', '--json'))
    traceOf(await house.witan('exchange', 'pin', trace, '1.1', '--json'))
    traceOf(await house.witan('exchange', 'run', trace, '--rounds', '1', '--json'))
    const later = house.asked.slice(before).map(({ words }) => words.includes('>>> What about floods?'))
    expect(later).toEqual([true, true])
    const again = await house.witan('exchange', 'pin', trace, '1.1')
    expect([again.code, again.stderr]).toEqual([5, expect.stringContaining('it is pinned already')])
    traceOf(await house.witan('exchange', 'pin', trace, '1.1', '--undo', '--json'))
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it('takes the words of the observer, and refuses anyone else', async () => {
    const said = await house.witan('exchange', 'say', trace, 'Stay with the second point.')
    expect(said.stdout).toContain('[OBSERVER] Stay with the second point.')
    await house.witan('keys', 'add', 'eve', '--role', 'observer')
    const other = await house.witan('exchange', 'say', trace, 'I am the observer.', '--by', 'eve')
    expect([other.code, other.stderr]).toEqual([5, expect.stringContaining('eve is not the observer')])
  })

  it('amends the terms from the next round on, and shows them', async () => {
    const terms = await house.terms('amended.yaml', { pool: { prompt: 'Think about lakes.' } })
    traceOf(await house.witan('exchange', 'terms', trace, '--set', terms, '--reason', 'enough', '--json'))
    const shown = await house.witan('exchange', 'terms', trace)
    expect(shown.stdout).toContain('Think about lakes.')
    const same = await house.witan('exchange', 'terms', trace, '--set', terms)
    expect([same.code, same.stderr]).toEqual([5, expect.stringContaining('in force already')])
    expect(await verifyFault(house, trace)).toBeNull()
  })
})

describe('what is erased from an exchange', () => {
  const filesHolding = async (text: string): Promise<readonly string[]> => {
    const entries = await readdir(house.where.home, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
    const held = await Promise.all(files.map(async (file) => (await readFile(file)).includes(text)))
    return files.filter((_, i) => held[i])
  }
  const vectors = async (): Promise<boolean> => (await readdir(house.where.home)).includes('vectors')

  it('LED-14 stands in the prompts that quoted it until they are erased too, and no vector of it is kept', async () => {
    const seq = (await house.events(trace)).findIndex(({ payload }) => payload?.text === 'What about floods?')
    expect(await vectors()).toBe(true)
    const told = await house.witan('redact', trace, String(seq), '--reason', 'private', '--json')
    expect(told.json).toMatchObject({ also_erased: [], artifacts_left: [] })
    const quoting = told.json.quoted_in as readonly { trace: string; artifact: string }[]
    const prompts = quoting.map((one) => one.artifact).sort()
    expect(prompts).toHaveLength(2)
    expect(await filesHolding('What about floods?')).not.toEqual([])
    expect(await vectors()).toBe(false)
    const words = await house.witan('redact', trace, String(seq), '--reason', 'private')
    for (const hash of prompts)
      expect(words.stdout).toContain(`witan redact ${trace} --artifact ${hash} --reason`)
    const all = await house.witan(
      'redact',
      trace,
      String(seq),
      '--everywhere',
      '--reason',
      'private',
      '--json',
    )
    expect(all.json).toMatchObject({ already: true, artifacts_left: [], quoted_in: [] })
    expect([...(all.json.also_erased as readonly string[])].sort()).toEqual(prompts)
    expect(await filesHolding('What about floods?')).toEqual([])
    const verdict = (await house.witan('verify', trace, '--json')).json
    expect(verdict.status).toBe('pass-with-warnings')
    const codes = (verdict.failures as readonly { code: string }[]).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set(['REDACTION_LIMITED']))
  })
})

describe('what stands in the way of an exchange', () => {
  const run = (...args: readonly string[]) => house.witan('exchange', 'run', ...args)

  it('is a mind that no one set up: those who are there are named', async () => {
    const terms = await house.terms('stranger.yaml', { pool: { minds: ['one', 'ghost'] } })
    const { code, stderr } = await run('--terms', terms)
    expect(code).toBe(2)
    expect(stderr).toMatch(/the terms name ghost, and no such mind is ready\nnext: Ready now: one, two\./)
  })

  it('is that no mind at all is ready: the next step leads to the doctor and to the demo', async () => {
    const bare = await newHome()
    await writeFile(
      join(bare.cwd, 'terms.yaml'),
      JSON.stringify({
        pool: { prompt: 'Rivers.', minds: ['claude'] },
        auditor: { spec: 'Sum up.', mind: 'claude' },
        observer: { name: 'ana', role: 'I look on.' },
      }),
    )
    const { code, stderr } = await witan(
      { ...bare, env: { PATH: '' } },
      'exchange',
      'run',
      '--terms',
      'terms.yaml',
    )
    expect(code).toBe(2)
    expect(stderr).toMatch(/no mind is ready.*\nnext: See `witan doctor`.*--demo/)
  })

  it('is a broken file of terms: line, column and key are told', async () => {
    await writeFile(
      join(house.where.cwd, 'broken.yaml'),
      'pool: {prompt: x, minds: [one]}\nauditor: {spec: y, mind: one, every: 1}\n',
    )
    const { code, stderr } = await run('--terms', 'broken.yaml')
    expect(code).toBe(2)
    expect(stderr).toMatch(/broken\.yaml:\d+:\d+/)
  })

  it('is a command that names both a trace and terms, or neither', async () => {
    const terms = await house.terms('both.yaml')
    for (const args of [[], [trace, '--terms', terms], [trace, '--demo']]) {
      expect((await run(...args)).code).toBe(2)
    }
  })

  it('is a pool in which no one answers: after three rounds the observer is asked', async () => {
    const { script } = house
    house.script = () => ''
    const terms = await house.terms('mute.yaml', { auditor: { every: 50 } })
    const ran = await run('--terms', terms, '--rounds', '9', '--json')
    house.script = script
    expect([ran.code, ran.json.status]).toEqual([8, 'waiting'])
    expect(ran.json).toMatchObject({ round: 3, stopped: 'no mind has answered for 3 rounds' })
  })
})

describe('a demo', () => {
  it('says that no model was asked, in its result, its minutes and its minds, and verifies', async () => {
    const home = await newHome()
    const ran = await witan(home, 'exchange', 'run', '--demo', '--rounds', '5', '--json')
    expect(ran.json).toMatchObject({ round: 5, note: 'mechanics demo: no language model was asked' })
    const shown = await witan(home, 'show', String(ran.json.trace))
    expect(shown.stdout).toContain('mechanics demo')
    expect((await witan(home, 'verify', 'last')).code).toBe(0)
    expect((await witan(home, 'replay', 'last')).code).toBe(0)
  })
})
