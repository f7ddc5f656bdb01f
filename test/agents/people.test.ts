// What people do in a session, through the built command: they approve, block, resolve and abort, each with a key of
// their own and in no one else's name.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { witan } from '../doors/command.ts'
import {
  type AgentsHome,
  addPerson,
  agentsHome,
  eventsOf,
  READING,
  runTask,
  saidIn,
  traceOf,
  typesOf,
  WRITING,
  writeFiles,
} from '../support/agents-home.ts'
import { namesIn, shape } from '../support/json-shape.ts'

let home: AgentsHome
const note = (): string => join(home.folder, 'note.txt')
const agents = (word: string, trace: string, ...args: readonly string[]) =>
  witan(home, 'agents', word, trace, '--reason', 'I read it', ...args, '--json')

beforeAll(async () => {
  home = await agentsHome()
  await writeFiles(home.home, { 'config.yaml': 'agents: {approvals_without_terminal: true}\n' })
  await addPerson(home)
})

describe('a session that waits for a person', () => {
  it('AGT-X-1 AGT-X-2 APP-9 names who and how, refuses the seats of the session, and goes on with the word of a person', async () => {
    const waiting = await runTask(home, WRITING)
    const trace = traceOf(waiting)
    expect(waiting.code).toBe(8)
    expect(waiting.json).toMatchObject({
      status: 'waiting',
      waits_for: ['a registered person in the role of critic'],
      next: ['approve', 'block'].map((word) => `witan agents ${word} ${trace} p1-i1 --reason "…"`),
    })
    expect(namesIn(waiting.json)).toBe('actions next phase status trace waits_for')
    const pending = await witan(home, 'agents', 'pending', '--json')
    expect(shape(pending.json)).toEqual([
      'pending unread',
      {
        pending: [
          [
            'about action commands diff input policy reason subject tool trace waits_for',
            {
              about: [null],
              commands: [null],
              diff: [null],
              input: 'content path',
              policy: ['decision needs reasons risk', { reasons: [null] }],
            },
          ],
        ],
        unread: [],
      },
    ])
    expect(pending.json).toMatchObject({
      pending: [
        {
          trace,
          subject: 'p1-i1',
          about: [
            'files.write {"content":"MIT\\n","path":"note.txt"}',
            expect.stringContaining('risk medium'),
          ],
        },
      ],
    })
    for (const seat of ['policy', 'executor']) {
      const refused = await agents('approve', trace, '--by', seat)
      expect([seat, refused.code]).toEqual([seat, seat === 'policy' ? 5 : 7])
    }
    expect((await agents('approve', trace, 'p9-i9', '--by', 'ana')).code).toBe(2)
    const approved = await agents('approve', trace, 'p1-i1', '--by', 'ana')
    expect(approved.json).toMatchObject({ via: 'none' })
    expect(namesIn(approved.json)).toBe('by event subject trace via')
    const ran = await witan(home, 'resume', trace, '--json')
    expect([ran.code, ran.json.status, existsSync(note())]).toEqual([0, 'completed', true])
    const [byPolicy, byPerson] = saidIn(await eventsOf(home, trace), 'intent_approved')
    expect([byPolicy?.via, byPerson?.via]).toEqual(['policy', 'none'])
    // The one who has to wait for a person must not be out of date when that person has spoken.
    expect(String(byPolicy?.expires) > String(byPerson?.expires)).toBe(true)
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
  })

  it('AGT-X-6 is told what was decided, and by what means, in rows of at most 80 characters', async () => {
    const trace = traceOf(await runTask(home, WRITING))
    const { code, stdout } = await witan(
      home,
      'agents',
      'approve',
      trace,
      '--reason',
      'I read it',
      '--by',
      'ana',
    )
    expect(code).toBe(0)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `ana approved p1-i1 in ${trace}, without a terminal (nothing shows a person)`,
    )
    expect(Math.max(...stdout.split('\n').map((row) => row.length))).toBeLessThanOrEqual(80)
  })

  it('AGT-X-2 takes the word of a key that was brought along, if its public half is registered', async () => {
    const trace = traceOf(await runTask(home, WRITING))
    const { generateKeyPairSync } = await import('node:crypto')
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const file = join(home.cwd, 'ben.pem')
    await writeFile(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
    await writeFile(`${file}.pub`, publicKey.export({ type: 'spki', format: 'pem' }))
    expect((await agents('approve', trace, '--key', file)).code).toBe(7)
    const added = await witan(home, 'keys', 'add', 'ben', '--role', 'critic', '--public', `${file}.pub`)
    expect([added.code, added.stderr]).toEqual([0, expect.any(String)])
    expect((await agents('approve', trace, '--key', file)).json).toMatchObject({ by: 'ben', via: 'file' })
    const ran = await witan(home, 'resume', trace, '--json')
    expect([ran.code, ran.json.status]).toEqual([0, 'completed'])
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
  })

  it('AGT-TOOL-1 AGT-X-6 runs nothing that was blocked, and waits for a revision', async () => {
    const task = { ...WRITING, proposals: [{ ...WRITING.proposals[0], objective: 'Write what is blocked' }] }
    const trace = traceOf(await runTask(home, task))
    await agents('block', trace, '--by', 'ana')
    const ran = await witan(home, 'resume', trace, '--json')
    expect([ran.code, ran.json]).toMatchObject([5, { status: 'blocked', phase: 'executing' }])
    expect((await witan(home, 'show', trace)).stdout).toMatch(/^blocked \(executing\)$/m)
    expect(saidIn(await eventsOf(home, trace), 'tool_execution_started')).toEqual([])
    const aborted = await witan(home, 'abort', trace, '--reason', 'nothing to prove', '--json')
    expect([aborted.code, aborted.json.status]).toEqual([6, 'aborted'])
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
    expect((await agents('approve', trace, '--by', 'ana')).code).not.toBe(0)
    expect((await witan(home, 'abort', trace, '--reason', 'again')).code).toBe(5)
  })

  it('AGT-PROP-2 AGT-PROP-3 never executes a proposal that was rejected, and takes another one by hand in its place', async () => {
    const trace = traceOf(await runTask(home, { ...READING, roles: { critic: ['policy', 'human'] } }))
    await agents('block', trace, 'p1', '--by', 'ana')
    const ran = await witan(home, 'resume', trace, '--json')
    expect([ran.code, ran.json.next]).toEqual([
      5,
      [`witan agents propose ${trace} FILE`, `witan abort ${trace} --reason "…"`],
    ])
    expect(typesOf(await eventsOf(home, trace))).not.toContain('tool_intent_signed')
    const propose = async (plan: object) => {
      await writeFiles(home.cwd, { 'proposal.yaml': JSON.stringify(plan) })
      return witan(home, 'agents', 'propose', trace, 'proposal.yaml', '--json')
    }
    const [rejected] = READING.proposals
    const strange = await propose({ ...rejected, required_tools: ['shell.run'] })
    expect([strange.code, strange.json]).toMatchObject([2, { error: { code: 'CONFIG_INVALID' } }])
    expect((await propose({ ...rejected, objektive: 'x' })).code).toBe(2)
    const made = await propose({ ...rejected, objective: 'Read it and nothing else' })
    expect(made.json).toMatchObject({ proposal: 'p2', via: 'none' })
    expect((await propose({ ...rejected })).code).toBe(2)
    expect((await witan(home, 'resume', trace, '--json')).json.actions).toEqual(['review/p2/human/1'])
    const conditions = ['--tool', 'files.read', '--max-risk', 'low']
    expect((await agents('approve', trace, 'p2', '--by', 'ana', ...conditions)).code).toBe(0)
    const claimed = await witan(home, 'resume', trace, '--json')
    expect([claimed.code, claimed.json.actions]).toEqual([8, ['weigh/p2-c1/human/1']])
    expect((await agents('challenge', trace, 'p2-c1', '--by', 'ana')).json).toMatchObject({
      event: 'claim_challenged',
    })
    // What was run is a fact that can be claimed all the same.
    const facts = await witan(home, 'resume', trace, '--json')
    for (const action of facts.json.actions as string[])
      expect((await agents('approve', trace, action.split('/')[1] ?? '', '--by', 'ana')).code).toBe(0)
    const again = await witan(home, 'resume', trace, '--json')
    expect([again.code, again.json.status]).toEqual([0, 'completed'])
    expect(saidIn(await eventsOf(home, trace), 'proposal_reviewed').at(-1)).toMatchObject({
      verdict: 'conditional',
      conditions: { tools: ['files.read'], max_risk: 'low' },
    })
    expect(saidIn(await eventsOf(home, trace), 'proposal_created')).toMatchObject([
      { proposal: 'p1', revises: null },
      { proposal: 'p2', revises: 'p1', via: 'none' },
    ])
    expect((await witan(home, 'show', trace)).stdout).toContain('p2 was proposed by hand, without a terminal')
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
  })
})
