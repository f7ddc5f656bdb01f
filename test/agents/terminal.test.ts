// A person at a real terminal is asked where a session waits for one: shown what would run, with its arguments and the
// word of the policy, and nothing is decided by silence.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { personName } from '../../src/app/home/signers.ts'
import { witan } from '../doors/command.ts'
import {
  type AgentsHome,
  addPerson,
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

let home: AgentsHome
const me = personName()
const note = (): string => join(home.folder, 'note.txt')

beforeAll(async () => {
  home = await agentsHome()
})

describe('a session that waits for a person', () => {
  it('AGT-X-1 names the making of a key to one who has none, and then the commands that work', async () => {
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
    const next = [`witan keys add ${me} --role critic`, ...words]
    expect(waiting.json.next).toEqual(next)
    const pending = await witan(home, 'agents', 'pending')
    expect(pending.stdout).toContain(next[0])
    expect(pending.stdout).toContain('but not this')
    // The operator of the session has a key already, in another role.
    await addPerson(home, me)
    expect((await witan(home, 'agents', 'pending', '--json')).json).toMatchObject({
      pending: [{ trace, commands: words }],
    })
    expect((await witan(home, 'abort', trace, '--reason', 'enough')).code).toBe(6)
  })

  it.skipIf(!hasTerminal)(
    'AGT-X-1 AGT-X-2 asks the person at the terminal, and does as that person says',
    async () => {
      const terminal = new Terminal(home, 'agents', 'run', await writeTask(home, WRITING))
      await terminal.reads('p1-i1  files.write')
      await terminal.reads('"path": "note.txt"')
      await terminal.reads('the step note')
      await terminal.reads('changes-inside-need-the-critic')
      await terminal.reads('approve, block, later?')
      expect(existsSync(note())).toBe(false)
      terminal.type('perhaps')
      await terminal.reads('approve, block, later?')
      terminal.type('a')
      await terminal.reads('Why?')
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
    await terminal.reads('approve, block, later?')
    terminal.type('b')
    await terminal.reads('Why?')
    terminal.type('')
    await terminal.reads('Then: witan resume')
    expect(await terminal.ended).toBe(8)
    expect(terminal.screen).toContain(`witan agents approve`)
  })
})
