// By what means a person decides: recorded as it was, and refused where it is less than the policy wants. A terminal is a
// real one here, made by `script`; a model with a shell and no terminal is the plain command.

import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Ran, witan } from '../doors/command.ts'
import {
  type AgentsHome,
  addPerson,
  agentsHome,
  eventsOf,
  lay,
  runTask,
  saidIn,
  traceOf,
  WRITING,
} from '../support/agents-home.ts'
import { hasTerminal, Terminal } from '../support/terminal.ts'

let home: AgentsHome

const settings = (agents: object): Promise<void> =>
  lay(home.home, { 'config.yaml': JSON.stringify({ agents }) })
const waiting = async (): Promise<string> => traceOf(await runTask(home, WRITING))
const approve = (trace: string, ...args: readonly string[]): Promise<Ran> =>
  witan(home, 'agents', 'approve', trace, '--reason', 'I read it', ...args, '--json')
const atTerminal = (trace: string): Terminal =>
  new Terminal(home, 'agents', 'approve', trace, '--by', 'ana', '--reason', 'I read it')
const meansIn = async (trace: string): Promise<readonly unknown[]> =>
  saidIn(await eventsOf(home, trace), 'intent_approved').map(({ via }) => via)
const statusOf = async (trace: string): Promise<unknown> =>
  (await witan(home, 'verify', trace, '--json')).json.status

/** The story without its line breaks. */
const toldOf = async (trace: string): Promise<string> =>
  (await witan(home, 'show', trace)).stdout.replaceAll(/\s+/g, ' ')

async function keyFile(agent: string): Promise<string> {
  const folder = join(home.home, 'keys')
  const name = (await readdir(folder)).find((file) => file.startsWith(`${agent}.`))
  return join(folder, name ?? '')
}

beforeEach(async () => {
  home = await agentsHome()
})

describe('a program with a shell and no terminal', () => {
  it('AGT-X-2 cannot approve with a key of the home, by its name or by its file, and is told what a person does', async () => {
    await addPerson(home)
    const trace = await waiting()
    for (const way of [
      ['--by', 'ana'],
      ['--key', await keyFile('ana')],
    ]) {
      const refused = await approve(trace, ...way)
      expect([refused.code, refused.json]).toMatchObject([2, { error: { code: 'APPROVAL_UNPROVEN' } }])
      expect(JSON.stringify(refused.json)).toContain('at a terminal')
    }
    for (const word of ['block', 'resolve'] as const) {
      const more = word === 'resolve' ? ['--as', 'failed'] : []
      const { code } = await witan(home, 'agents', word, trace, '--by', 'ana', '--reason', 'no', ...more)
      expect([word, code]).toEqual([word, 2])
    }
    expect(await meansIn(trace)).toEqual(['policy'])
  })

  it('AGT-X-2 can where the home allowed it before the session began, and the record says that nothing showed a person', async () => {
    await addPerson(home)
    const before = await waiting()
    await settings({ approvals_without_terminal: true })
    expect((await approve(before, '--by', 'ana')).code).toBe(2)
    const trace = await waiting()
    expect((await approve(trace, '--by', 'ana')).json).toMatchObject({ by: 'ana', via: 'none' })
    expect((await witan(home, 'resume', trace, '--json')).code).toBe(0)
    expect(await toldOf(trace)).toContain('without a terminal (nothing shows a person)')
    expect(await statusOf(trace)).toBe('pass')
  })

  it('AGT-X-2 signs with a key that the home has not, which is recorded as a file, and may be all that counts', async () => {
    await settings({ approval_proof: 'other-machine', approvals_without_terminal: true })
    await addPerson(home)
    const brought = join(home.cwd, 'ana.pem')
    const file = await keyFile('ana')
    const trace = await waiting()
    expect((await witan(home, 'agents', 'pending')).stdout).toContain('a key that is not in this home')
    expect((await approve(trace, '--by', 'ana')).code).toBe(2)
    await cp(file, brought)
    expect((await approve(trace, '--key', brought)).code).toBe(2)
    await rm(file)
    expect((await approve(trace, '--key', brought)).json).toMatchObject({ by: 'ana', via: 'file' })
    expect((await witan(home, 'resume', trace, '--json')).code).toBe(0)
    expect(await statusOf(trace)).toBe('pass')
  })
})

describe.skipIf(!hasTerminal)('a person at a terminal', () => {
  it('AGT-X-2 is shown what they approve and has to answer; that is recorded as unproven presence', async () => {
    await addPerson(home)
    const trace = await waiting()
    const no = atTerminal(trace)
    await no.reads('"path": "note.txt"')
    await no.reads('[y/N]')
    no.type('')
    expect([await no.ended, await meansIn(trace)]).toEqual([2, ['policy']])
    const yes = atTerminal(trace)
    await yes.reads('[y/N]')
    yes.type('y')
    expect([await yes.ended, await meansIn(trace)]).toEqual([0, ['policy', 'terminal']])
    expect(yes.screen).toContain('at a terminal (presence not proven)')
    expect(await toldOf(trace)).toContain('ana approved p1-i1 at a terminal (presence not proven)')
  })

  it('AGT-X-2 enters the passphrase of their key where the policy wants one; nobody decides without it', async () => {
    await settings({ approval_proof: 'passphrase' })
    const adding = new Terminal(home, 'keys', 'add', 'ana', '--role', 'critic', '--passphrase')
    await adding.reads('New passphrase for ana: ')
    adding.type('correct horse')
    await adding.reads('once more')
    adding.type('correct horse')
    expect(await adding.ended).toBe(0)
    expect(adding.screen).not.toContain('correct horse')
    expect(await readFile(await keyFile('ana'), 'utf8')).toMatch(/^-----BEGIN WITAN LOCKED KEY-----/)
    await addPerson(home, 'ben')
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
    const ran = await witan(home, 'resume', trace, '--json')
    expect([ran.code, existsSync(join(home.folder, 'note.txt'))]).toEqual([0, true])
    expect(await toldOf(trace)).toContain('ana approved p1-i1 with a passphrase')
    expect(await statusOf(trace)).toBe('pass')
  })
})
