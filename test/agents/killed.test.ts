// Sessions whose process is killed: after each of their commits, and while a tool runs. Then no one knows what the tool
// did, so a person says.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { start, witan } from '../doors/command.ts'
import { here } from '../doors/here.ts'
import { addPerson, agentsHome, COUNTING, layCounting, writeTask } from '../support/agents-home.ts'
import { startScript } from '../support/children.ts'
import { projectRoot } from '../support/sources.ts'

describe('a command that is killed inside a tool', () => {
  it('AGT-TOOL-5 AGT-REC-1 leaves the choice to a person and runs nothing twice', async () => {
    const home = await agentsHome()
    await addPerson(home)
    await layCounting(home, 'sleep 60\necho counted\n')
    const ran = (): Promise<string> => readFile(join(home.folder, 'ran.txt'), 'utf8').catch(() => '')
    const child = start(['agents', 'run', await writeTask(home, COUNTING), '--quiet'], home)
    const gone = new Promise((resolve) => child.on('close', resolve))
    while ((await ran()) === '') await pause(20)
    child.kill('SIGKILL')
    await gone
    const resumed = await witan(home, 'resume', 'last', '--json')
    const trace = String(resumed.json.trace)
    expect([resumed.code, resumed.json.next]).toEqual([
      8,
      ['failed', 'again'].map((as) => `witan agents resolve ${trace} p1-i2 --as ${as} --reason "…"`),
    ])
    const args = ['p1-i2', '--as', 'failed', '--reason', 'I killed it', '--by', 'ana']
    expect((await witan(home, 'agents', 'resolve', trace, ...args)).code).toBe(0)
    const ended = await witan(home, 'resume', trace, '--json')
    expect([ended.code, ended.json, await ran()]).toMatchObject([
      5,
      { status: 'nothing succeeded', phase: 'completed' },
      'ran\n',
    ])
    const { traces } = (await witan(home, 'list', '--json')).json as {
      traces: readonly { trace: string; status: string }[]
    }
    expect(traces.find((one) => one.trace === trace)?.status).toBe('nothing succeeded')
    expect(ended.json.proven).toMatchObject([{ text: 'alpha is MIT' }])
    expect((await witan(home, 'verify', trace, '--json')).json.status).toBe('pass')
  })
})

describe('a process that is killed right after one of its commits', () => {
  const script = join(projectRoot, 'test/support/agents-process.mjs')

  async function sessions(
    home: string,
    nth: number,
    ...given: readonly string[]
  ): Promise<{ readonly lines: readonly string[]; readonly signal: string | null }> {
    const child = startScript(script, [home, String(nth), ...given])
    const { signal, errors } = await child.ended
    expect(errors).toBe('')
    return { lines: child.lines(), signal }
  }
  const endsIn = (lines: readonly string[]): readonly { status: string }[] =>
    lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line))

  it('LED-17 AGT-REC-1 leaves a session that goes on to the same end, and a tool that runs once at most', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'witan-killed-'))
    try {
      const home = join(folder, 'home')
      const marks = (name: string): string => join(folder, `marks-${name}`)
      const whole = await sessions(home, 0, marks('whole'), 'new')
      expect(endsIn(whole.lines)).toEqual([{ status: 'completed', proven: 1, waiting: 0 }])

      async function killedAfter(commit: number): Promise<readonly [string, string] | null> {
        const own = marks(String(commit))
        const { lines, signal } = await sessions(home, commit, own, 'new')
        return signal === 'SIGKILL' ? [own, lines[0]?.slice('trace '.length) ?? ''] : null
      }
      const killed: (readonly [string, string] | null)[] = []
      for (let from = 1; !killed.includes(null); from += 4)
        killed.push(...(await Promise.all([0, 1, 2, 3].map((more) => killedAfter(from + more)))))
      const left = killed.filter((one) => one !== null)
      expect(left.length).toBeGreaterThanOrEqual(12)

      const { lines, signal } = await sessions(home, 0, ...left.flat())
      expect(signal).toBeNull()
      for (const [own, trace] of left) {
        const made = (await readFile(own, 'utf8').catch(() => '')).split('\n').length - 1
        expect([own, made <= 1]).toEqual([own, true])
        expect((await here({ home, cwd: folder }, 'verify', trace, '--json')).json.status).toBe('pass')
      }
      const told = endsIn(lines)
      expect(told).toHaveLength(left.length)
      const others = told.filter(({ status }) => status !== 'completed')
      // The one boundary after which no one knows whether the tool ran.
      expect(others).toEqual([{ status: 'executing', proven: 0, waiting: 1 }])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
