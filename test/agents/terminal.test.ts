// A person at a real terminal is asked where a session waits for one: shown what would run, with its arguments and the
// word of the policy, and nothing is decided by silence.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { personName } from '../../src/app/home/signers.ts'
import { witan } from '../doors/command.ts'
import {
  type AgentsHome,
  agentsHome,
  eventsOf,
  latestSession,
  runTask,
  saidIn,
  step,
  traceOf,
  WRITING,
  writeTask,
} from '../support/agents-home.ts'
import { hasTerminal, Terminal } from '../support/terminal.ts'

interface Keys {
  readonly keys: readonly { readonly id: string; readonly agent: string; readonly roles: readonly string[] }[]
}

let home: AgentsHome
const me = personName()
const note = (): string => join(home.folder, 'note.txt')

beforeAll(async () => {
  home = await agentsHome()
})

describe('a session that waits for a person', () => {
  it('AGT-X-1 lets its owner decide with a key of their own, and shows all that is decided on', async () => {
    // The end of what is written is what one would want to have read before saying yes.
    const content = `${'all of this is harmless, '.repeat(40)}but not this`
    const waiting = await runTask(home, {
      ...WRITING,
      proposals: [
        { objective: 'Write it down', steps: [step('note', 'files.write', { path: 'note.txt', content })] },
      ],
    })
    const trace = traceOf(waiting)
    const words = ['approve', 'block'].map((word) => `witan agents ${word} ${trace} p1-i1 --reason "…"`)
    expect(waiting.json.next).toEqual(words)
    const pending = await witan(home, 'agents', 'pending')
    expect(pending.stdout).toContain('but not this')
    expect((await witan(home, 'agents', 'pending', '--json')).json).toMatchObject({
      pending: [{ trace, commands: words }],
    })
    const roles = ((await witan(home, 'keys', 'list', '--json')).json as unknown as Keys).keys.flatMap(
      (key) => (key.agent === me ? key.roles : []),
    )
    expect(roles).toEqual(['operator', 'critic'])
    // By the means that the policy asks for: here there is no terminal.
    const unproven = await witan(home, 'agents', 'approve', trace, '--reason', 'I read it')
    expect([unproven.code, unproven.stderr]).toEqual([2, expect.stringContaining('APPROVAL_UNPROVEN')])
    expect((await witan(home, 'abort', trace, '--reason', 'enough')).code).toBe(6)
  })

  it('AGT-X-1 gives no key to an owner whose key was revoked', async () => {
    const { keys } = (await witan(home, 'keys', 'list', '--json')).json as unknown as Keys
    const own = keys.find(({ agent, roles }) => agent === me && roles.includes('critic'))
    const other = await agentsHome()
    const first = await runTask(other, WRITING)
    const theirs = ((await witan(other, 'keys', 'list', '--json')).json as unknown as Keys).keys
    expect([own?.agent, theirs.filter(({ agent }) => agent === me)]).toEqual([me, [expect.anything()]])
    expect((await witan(other, 'abort', traceOf(first), '--reason', 'enough')).code).toBe(6)
    const id = theirs.find(({ agent }) => agent === me)?.id ?? ''
    expect((await witan(other, 'keys', 'revoke', id, '--reason', 'lost')).code).toBe(0)
    const again = await runTask(other, WRITING)
    expect(again.code).toBe(5)
    const after = ((await witan(other, 'keys', 'list', '--json')).json as unknown as Keys).keys
    expect(after.filter(({ agent, roles }) => agent === me && roles.includes('critic'))).toHaveLength(1)
  })

  it.skipIf(!hasTerminal)(
    'AGT-X-1 AGT-X-2 asks the person at the terminal, and does as that person says',
    async () => {
      const terminal = new Terminal(home, 'agents', 'run', await writeTask(home, WRITING))
      await terminal.reads('executor intends p1-i1: write note.txt (files.write), risk medium')
      await terminal.reads('note.txt')
      await terminal.reads('→ create: 1 line in')
      await terminal.reads('+MIT')
      await terminal.reads('p1-i1 files.write')
      await terminal.reads('the step note')
      await terminal.reads('medium: it writes')
      await terminal.reads('changes-inside-need-the-critic')
      await terminal.reads('[y] approve  [n] block')
      expect(existsSync(note())).toBe(false)
      terminal.type('perhaps')
      await terminal.reads("'perhaps' is none of these; nothing was decided.")
      await terminal.reads('[y] approve  [n] block')
      terminal.type('d')
      await terminal.reads('"path": "note.txt"')
      await terminal.reads('[y] approve  [n] block')
      terminal.type('y')
      await terminal.reads('Reason (recorded permanently): ')
      terminal.type('')
      await terminal.reads('Nothing was decided: every decision is recorded with its reason.')
      await terminal.reads('[y] approve  [n] block')
      terminal.type('y')
      await terminal.reads('Reason (recorded permanently): ')
      terminal.type('I read it')
      expect([await terminal.ended, existsSync(note())]).toEqual([0, true])
      expect(terminal.screen).toContain('it is noted')
      const events = await eventsOf(home, await latestSession(home))
      const [, byPerson] = saidIn(events, 'intent_approved')
      expect(byPerson).toMatchObject({ via: 'terminal', reasons: ['I read it'] })
    },
  )

  it.skipIf(!hasTerminal)('AGT-X-1 decides nothing for one who says later, or gives no reason', async () => {
    const task = { ...WRITING, proposals: [{ ...WRITING.proposals[0], objective: 'Write it later' }] }
    const terminal = new Terminal(home, 'agents', 'run', await writeTask(home, task))
    await terminal.reads('[y] approve  [n] block')
    terminal.type('n')
    await terminal.reads('Reason (recorded permanently): ')
    terminal.type('')
    await terminal.reads('Nothing was decided')
    terminal.type('')
    await terminal.reads('Then: witan resume')
    expect(await terminal.ended).toBe(8)
    expect(terminal.screen).toContain(`witan agents approve`)
  })
})
