// The whole command is killed while a tool runs. Nobody knows what the tool did, so a person says.

import { chmod, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { start, witan } from '../doors/command.ts'
import { addPerson, agentsHome, claim, lay, read, step, writeTask } from '../support/agents-home.ts'

const TASK = {
  policy: 'lenient',
  tools: ['files.read', 'shell.run'],
  proposals: [
    {
      objective: 'Read, then count',
      steps: [read('alpha', 'alpha/LICENSE'), step('count', 'shell.run', { command: ['./count.sh'] })],
      claims: [claim('alpha is MIT', 'alpha', 'MIT License'), claim('it was counted', 'count', 'counted')],
    },
  ],
}

describe('a command that is killed inside a tool', () => {
  it('AGT-TOOL-5 AGT-REC-1 leaves the choice to a person and runs nothing twice', async () => {
    const home = await agentsHome()
    await addPerson(home)
    await lay(home.home, { 'config.yaml': 'agents: {commands: [./count.sh], policy: lenient}\n' })
    await lay(home.folder, { 'count.sh': '#!/bin/sh\necho ran >> ran.txt\nsleep 60\necho counted\n' })
    await chmod(join(home.folder, 'count.sh'), 0o755)
    const ran = (): Promise<string> => readFile(join(home.folder, 'ran.txt'), 'utf8').catch(() => '')
    const child = start(['agents', 'run', await writeTask(home, TASK), '--quiet'], home)
    const gone = new Promise((resolve) => child.on('close', resolve))
    while ((await ran()) === '') await pause(20)
    child.kill('SIGKILL')
    await gone
    const resumed = await witan(home, 'resume', 'last', '--json')
    const trace = String(resumed.json.trace)
    expect([resumed.code, resumed.json.next]).toEqual([
      8,
      ['failed', 'again'].map((as) => `witan agents resolve ${trace} p1-i2 --as ${as} --by ana --reason "…"`),
    ])
    const args = ['p1-i2', '--as', 'failed', '--reason', 'I killed it', '--by', 'ana']
    expect((await witan(home, 'agents', 'resolve', trace, ...args)).code).toBe(0)
    const ended = await witan(home, 'resume', trace, '--json')
    expect([ended.code, ended.json.status, await ran()]).toEqual([5, 'completed', 'ran\n'])
    expect(ended.json.proven).toMatchObject([{ text: 'alpha is MIT' }])
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
  })
})
