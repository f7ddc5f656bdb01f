// By what means a person decides: recorded as it was, and refused where it is less than the policy wants. A terminal is a
// real one here, made by `script`. A model with a shell and no terminal is the plain command once, as a process of its
// own; else the command is run within the test, which has no terminal either.

import { generateKeyPairSync } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { personName } from '../../src/app/home/signers.ts'
import { lockKey } from '../../src/stores/locked-key.ts'
import { directory, type Ran, witan as separately } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import {
  type AgentsHome,
  type CommandResult,
  LICENCES,
  READING,
  saidIn,
  traceOf,
  WRITING,
  writeFiles,
  writeTask,
} from '../support/agents-home.ts'
import { projectRoot } from '../support/sources.ts'
import { hasTerminal, Terminal } from '../support/terminal.ts'

let home: AgentsHome

const witan = (...args: readonly string[]): Promise<Ran> => here(home, ...args)
const runTask = async (task: object): Promise<Ran> =>
  witan('agents', 'run', await writeTask(home, task), '--json')
const eventsOf = async (trace: string): Promise<readonly CommandResult[]> =>
  (await witan('show', trace, '--json')).json.events as readonly CommandResult[]

async function addPerson(name = 'ana'): Promise<void> {
  const { code, stderr } = await witan('keys', 'add', name, '--role', 'critic')
  if (code !== 0) throw new Error(stderr)
}

const settings = (agents: object): Promise<void> =>
  writeFiles(home.home, { 'config.yaml': JSON.stringify({ agents }) })
const waiting = async (): Promise<string> => traceOf(await runTask(WRITING))
const approve = (trace: string, ...args: readonly string[]): Promise<Ran> =>
  witan('agents', 'approve', trace, '--reason', 'I read it', ...args, '--json')
const atTerminal = (trace: string): Terminal =>
  new Terminal(home, 'agents', 'approve', trace, '--by', 'ana', '--reason', 'I read it')
const meansIn = async (trace: string): Promise<readonly unknown[]> =>
  saidIn(await eventsOf(trace), 'intent_approved').map(({ via }) => via)
const statusOf = async (trace: string): Promise<unknown> =>
  (await witan('verify', trace, '--json')).json.status

/** The story without its line breaks. */
const toldOf = async (trace: string): Promise<string> =>
  (await witan('show', trace)).stdout.replaceAll(/\s+/g, ' ')

async function keyFile(agent: string): Promise<string> {
  const folder = join(home.home, 'keys')
  const name = (await readdir(folder)).find((file) => file.startsWith(`${agent}.`))
  return join(folder, name ?? '')
}

/** A key that its owner made elsewhere, registered by its public half. */
async function bringKey(agent: string, passphrase?: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  const [file, half] = [join(home.cwd, `${agent}.pem`), join(home.cwd, `${agent}.pub`)]
  await writeFile(half, publicKey.export({ format: 'pem', type: 'spki' }))
  const added = await witan('keys', 'add', agent, '--role', 'critic', '--public', half, '--json')
  const text = passphrase === undefined ? pem : lockKey(pem, String(added.json.id), passphrase)
  await writeFile(file, text, { mode: 0o600 })
  return file
}

/** Types each answer when its question is read; gives the exit code. */
async function enter(
  args: readonly string[],
  ...answers: readonly (readonly [question: string, answer: string])[]
): Promise<number | null> {
  const terminal = new Terminal(home, ...args)
  for (const [question, answer] of answers) {
    await terminal.reads(question)
    terminal.type(answer)
  }
  return terminal.ended
}

const NEW = (passphrase: string): readonly (readonly [string, string])[] => [
  ['New passphrase for ', passphrase],
  ['once more', passphrase],
]

/** A session whose only plan a person blocked, so that it waits for another by hand, which lies in a file. */
async function awaitingPlan(): Promise<string> {
  const brought = await bringKey('bea')
  const trace = traceOf(await runTask({ ...READING, roles: { critic: ['policy', 'human'] } }))
  await witan('agents', 'block', trace, 'p1', '--key', brought, '--reason', 'not so')
  await witan('resume', trace, '--json')
  await writeFiles(home.cwd, {
    'proposal.yaml': JSON.stringify({ ...READING.proposals[0], objective: 'Read it' }),
  })
  return trace
}

/** The session begun last. */
async function latest(): Promise<string> {
  const { json } = await witan('list', '--json')
  const traces = json.traces as readonly { trace: string; protocol: string }[]
  const sessions = traces.filter(({ protocol }) => protocol === 'agents/1').map(({ trace }) => trace)
  return sessions.sort().at(-1) ?? ''
}

beforeEach(async () => {
  const cwd = await directory()
  home = { home: join(cwd, 'home'), cwd, folder: join(cwd, 'work') }
  await writeFiles(home.folder, LICENCES)
  const made = await witan('init', '--name', 'tester')
  if (made.code !== 0) throw new Error(made.stderr)
})

describe('a program with a shell and no terminal', () => {
  it('AGT-X-2 cannot approve with a key of the home, by its name or by its file, and is told what a person does', async () => {
    await addPerson()
    const trace = await waiting()
    for (const way of [
      ['--by', 'ana'],
      ['--key', await keyFile('ana')],
    ]) {
      const words = ['agents', 'approve', trace, '--reason', 'I read it', ...way, '--json']
      const refused = await separately(home, ...words)
      expect([refused.code, refused.json]).toMatchObject([2, { error: { code: 'APPROVAL_UNPROVEN' } }])
      expect(JSON.stringify(refused.json)).toContain('at a terminal')
    }
    for (const word of ['block', 'resolve'] as const) {
      const more = word === 'resolve' ? ['--as', 'failed'] : []
      const { code } = await witan('agents', word, trace, '--by', 'ana', '--reason', 'no', ...more)
      expect([word, code]).toEqual([word, 2])
    }
    expect(await meansIn(trace)).toEqual(['policy'])
  })

  it('AGT-X-2 can where the home allowed it before the session began, and the record says that nothing showed a person', async () => {
    await addPerson()
    const before = await waiting()
    await settings({ approvals_without_terminal: true })
    expect((await approve(before, '--by', 'ana')).code).toBe(2)
    const trace = await waiting()
    expect((await approve(trace, '--by', 'ana')).json).toMatchObject({ by: 'ana', via: 'none' })
    expect((await witan('resume', trace, '--json')).code).toBe(0)
    expect(await toldOf(trace)).toContain('without a terminal (nothing shows a person)')
    expect(await statusOf(trace)).toBe('pass')
  })

  it('AGT-X-2 signs with a key that was made elsewhere, which is recorded as a file, and may be all that counts', async () => {
    await settings({ approval_proof: 'other-machine', approvals_without_terminal: true })
    await addPerson('ben')
    const brought = await bringKey('ana')
    const trace = await waiting()
    expect((await witan('agents', 'pending')).stdout).toContain('a key that was made elsewhere')
    expect((await approve(trace, '--by', 'ben')).code).toBe(2)
    expect((await approve(trace, '--key', brought)).json).toMatchObject({ by: 'ana', via: 'file' })
    expect((await witan('resume', trace, '--json')).code).toBe(0)
    expect(await statusOf(trace)).toBe('pass')
  })

  it('AGT-X-2 gains nothing by moving a key of the home out of it: it stays a key that was made here', async () => {
    await addPerson()
    await settings({ approval_proof: 'other-machine', approvals_without_terminal: true })
    const strict = await waiting()
    await settings({})
    const usual = await waiting()
    await settings({ approvals_without_terminal: true })
    const loose = await waiting()
    const moved = join(home.cwd, 'ana.pem')
    await rename(await keyFile('ana'), moved)
    for (const trace of [strict, usual]) {
      const refused = await approve(trace, '--key', moved)
      expect([refused.code, refused.json]).toMatchObject([2, { error: { code: 'APPROVAL_UNPROVEN' } }])
      expect(await meansIn(trace)).toEqual(['policy'])
    }
    expect((await approve(loose, '--by', 'ana')).json).toMatchObject({ error: { code: 'KEY_NOT_FOUND' } })
    expect((await approve(loose, '--key', moved)).json).toMatchObject({ by: 'ana', via: 'none' })
    expect(await statusOf(loose)).toBe('pass')
  })

  it('AGT-X-2 is asked for no passphrase of a key file: only a terminal is read for it', async () => {
    const brought = await bringKey('ana', 'correct horse')
    const trace = await waiting()
    const refused = await approve(trace, '--key', brought)
    expect([refused.code, refused.json]).toMatchObject([2, { error: { code: 'KEY_LOCKED' } }])
    expect(JSON.stringify(refused.json)).toContain('Run this command at a terminal')
    expect(await meansIn(trace)).toEqual(['policy'])
  })

  it('AGT-X-2 proposes nothing by hand unless the home allows it, and an abort says that nothing showed a person', async () => {
    const trace = await waiting()
    const aborted = await witan('abort', trace, '--reason', 'enough', '--json')
    expect(aborted.code).toBe(6)
    expect(saidIn(await eventsOf(trace), 'session_aborted')).toMatchObject([{ via: 'none' }])
    expect(await toldOf(trace)).toContain('aborted the session without a terminal (nothing shows a person)')
    const rejected = await awaitingPlan()
    const proposed = await witan('agents', 'propose', rejected, 'proposal.yaml', '--json')
    expect([proposed.code, proposed.json]).toMatchObject([2, { error: { code: 'APPROVAL_UNPROVEN' } }])
  })
})

describe.skipIf(!hasTerminal)('a person at a terminal', () => {
  it('AGT-X-2 is shown what they approve and has to answer; that is recorded as unproven presence', async () => {
    await addPerson()
    const trace = await waiting()
    const no = atTerminal(trace)
    await no.reads('→ create: 1 line in')
    await no.reads('[y/N]')
    no.type('')
    expect([await no.ended, await meansIn(trace)]).toEqual([2, ['policy']])
    const yes = atTerminal(trace)
    await yes.reads('[y/N]')
    yes.type('y')
    expect([await yes.ended, await meansIn(trace)]).toEqual([0, ['policy', 'terminal']])
    const guide = await readFile(join(projectRoot, 'docs/accountable-runbooks.md'), 'utf8')
    const shown =
      /At a terminal `approve` ends like this:\n\n```text\n([^`]+)```/.exec(guide)?.[1] ?? 'nothing'
    const lines = shown.replace('01JD…', trace).trim().split('\n')
    for (const line of lines) expect(yes.screen).toContain(line.replace(/ y$/, ''))
    expect(await toldOf(trace)).toContain(
      'ana approved p1-i1 (write note.txt) at a terminal (presence not proven)',
    )
  })

  it('AGT-X-2 enters the passphrase of their key where the policy wants one; no one decides without it', async () => {
    await settings({ approval_proof: 'passphrase' })
    const adding = new Terminal(home, 'keys', 'add', 'ana', '--role', 'critic', '--passphrase')
    await adding.reads('New passphrase for ana: ')
    adding.type('correct horse')
    await adding.reads('once more')
    adding.type('correct horse')
    expect(await adding.ended).toBe(0)
    expect(adding.screen).not.toContain('correct horse')
    expect(await readFile(await keyFile('ana'), 'utf8')).toMatch(/^-----BEGIN WITAN LOCKED KEY-----/)
    await addPerson('ben')
    const trace = await waiting()
    expect((await approve(trace, '--by', 'ana')).code).toBe(2)
    expect((await approve(trace, '--key', await keyFile('ana'))).code).toBe(2)
    const ben = new Terminal(home, 'agents', 'approve', trace, '--by', 'ben', '--reason', 'me too')
    expect(await ben.ended).toBe(2)
    expect(ben.screen).toContain('passphrase protects')
    const wrong = atTerminal(trace)
    await wrong.reads('Passphrase of ana: ')
    wrong.type('wrong horse')
    expect([await wrong.ended, await meansIn(trace)]).toEqual([2, ['policy']])
    const right = atTerminal(trace)
    await right.reads('Passphrase of ana: ')
    right.type('correct horse')
    expect([await right.ended, await meansIn(trace)]).toEqual([0, ['policy', 'passphrase']])
    const ran = await witan('resume', trace, '--json')
    expect([ran.code, existsSync(join(home.folder, 'note.txt'))]).toEqual([0, true])
    expect(await toldOf(trace)).toContain('ana approved p1-i1 (write note.txt) with a passphrase')
    expect(await statusOf(trace)).toBe('pass')
  })

  it('AGT-X-2 keeps a key protected that was protected: rotated, given a passphrase, given another, freed of it', async () => {
    await settings({ approval_proof: 'passphrase' })
    await addPerson()
    const open = await keyFile('ana')
    const idOf = async (): Promise<unknown> => {
      const { json } = await witan('keys', 'list', '--json')
      const keys = json.keys as readonly { agent: string; status: string; id: string }[]
      return keys.find(({ agent, status }) => agent === 'ana' && status === 'in force')?.id
    }
    const first = await idOf()
    // A program that puts the open key under a passphrase of its own has proven nothing.
    const pem = await readFile(open, 'utf8')
    const before = await waiting()
    await writeFile(open, lockKey(pem, String(first), 'its own'))
    expect(await enter(['agents', 'approve', before, '--by', 'ana', '--reason', 'I read it'])).toBe(2)
    expect(await meansIn(before)).toEqual(['policy'])
    await writeFile(open, pem)
    expect((await witan('keys', 'passphrase', 'ana')).code).toBe(2)
    expect(await enter(['keys', 'passphrase', 'ana'], ...NEW('correct horse'))).toBe(0)
    const second = await idOf()
    expect(second).not.toBe(first)
    const trace = await waiting()
    expect(await enter(['keys', 'passphrase', 'ana'], ['Passphrase of ana: ', 'wrong horse'])).toBe(2)
    const change = [['Passphrase of ana: ', 'correct horse'], ...NEW('another horse')] as const
    expect(await enter(['keys', 'passphrase', 'ana'], ...change)).toBe(0)
    expect(await idOf()).toBe(second)
    expect((await witan('keys', 'rotate', 'ana')).code).toBe(2)
    expect(await enter(['keys', 'rotate', 'ana'], ...NEW('third horse'))).toBe(0)
    const third = await idOf()
    expect(third).not.toBe(second)
    const deciding = ['agents', 'approve', trace, '--by', 'ana', '--reason', 'I read it']
    expect(await enter(deciding, ['Passphrase of ana: ', 'third horse'])).toBe(0)
    expect(await meansIn(trace)).toEqual(['policy', 'passphrase'])
    const removal = ['keys', 'passphrase', 'ana', '--remove']
    expect(await enter(removal, ['Passphrase of ana: ', 'third horse'])).toBe(0)
    expect(await idOf()).not.toBe(third)
    expect((await witan('keys', 'passphrase', 'registrar')).stderr).toContain('Only keys of people')
  })

  it('AGT-X-2 opens a key file with its passphrase, and a key of the home that was moved counts as the terminal', async () => {
    const brought = await bringKey('ana', 'correct horse')
    const trace = await waiting()
    const deciding = ['agents', 'approve', trace, '--reason', 'I read it', '--key']
    expect(await enter([...deciding, brought], [`Passphrase of ${brought}: `, 'correct horse'])).toBe(0)
    expect(await meansIn(trace)).toEqual(['policy', 'file'])
    await addPerson('ben')
    const other = await waiting()
    const moved = join(home.cwd, 'ben.pem')
    await rename(await keyFile('ben'), moved)
    const again = ['agents', 'approve', other, '--reason', 'I read it', '--key', moved]
    expect(await enter(again, ['[y/N]', 'y'])).toBe(0)
    expect(await meansIn(other)).toEqual(['policy', 'terminal'])
  })

  it('AGT-X-2 sees the call before the passphrase is asked for while a session runs, and is told what is missing', async () => {
    const me = personName()
    await settings({ approval_proof: 'passphrase' })
    await addPerson(me)
    const task = await writeTask(home, WRITING)
    const unable = new Terminal(home, 'agents', 'run', task)
    expect(await unable.ended).toBe(8)
    const screen = unable.screen.replaceAll(/\s+/g, ' ')
    expect(screen).toContain('Not decided: the policy wants more than at a terminal')
    expect(screen).toContain(`witan keys passphrase ${me}`)
    expect(await enter(['keys', 'passphrase', me], ...NEW('correct horse'))).toBe(0)
    const able = new Terminal(home, 'agents', 'run', task)
    await able.reads('[y] approve  [n] block')
    expect(able.screen).toContain('→ create: 1 line in')
    expect(able.screen).not.toContain('Passphrase of')
    able.type('y')
    await able.reads('Reason (recorded permanently): ')
    able.type('I read it')
    await able.reads(`Passphrase of ${me}: `)
    able.type('wrong horse')
    await able.reads('does not open this key')
    able.type('correct horse')
    expect(await able.ended).toBe(0)
    expect(await meansIn(await latest())).toEqual(['policy', 'passphrase'])
  })

  it('AGT-X-2 is asked before a proposal by hand and an abort count as theirs', async () => {
    await addPerson()
    const trace = await awaitingPlan()
    const proposing = ['agents', 'propose', trace, 'proposal.yaml']
    expect(await enter(proposing, ['[y/N]', 'n'])).toBe(2)
    expect(await enter(proposing, ['Is that your proposal? [y/N]', 'y'])).toBe(0)
    expect(saidIn(await eventsOf(trace), 'proposal_created').at(-1)).toMatchObject({ via: 'terminal' })
    expect(await toldOf(trace)).toContain('a person proposed p2 by hand, at a terminal')
    const aborting = ['abort', trace, '--reason', 'enough']
    expect(await enter(aborting, ['[y/N]', ''])).toBe(2)
    expect(await enter(aborting, ['[y/N]', 'yes'])).toBe(6)
    expect(saidIn(await eventsOf(trace), 'session_aborted')).toMatchObject([{ via: 'terminal' }])
    expect(await statusOf(trace)).toBe('pass')
  })
})
