// What was not granted is refused at once, with the reason: no person is asked to approve a call that could not run with
// every approval there is.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newHome, witan } from '../doors/command.ts'

const task = (tool: string, input: object) =>
  JSON.stringify({
    objective: 'Count the lines',
    workspace: './work',
    roles: { planner: 'written', executor: 'written', critic: ['policy'], auditor: 'verifier' },
    tools: ['shell.run', 'http.get', 'files.write'],
    commands: ['wc'],
    hosts: ['api.example.com'],
    proposals: [
      {
        objective: 'Count',
        required_tools: [tool],
        steps: [{ id: 'a', tool, input, justification: 'to know' }],
        claims: [{ text: 'It is so.', confidence: 'low', evidence: [{ step: 'a', quote: '1' }] }],
      },
    ],
  })

describe('AGT-TOOL-1 a written step whose input its tool does not take', () => {
  it.each([
    ['files.write', { path: 'a.txt' }, 'files.write does not take this input: the value lacks content'],
    [
      'files.write',
      { path: 5, content: 'x' },
      'files.write does not take this input: path is integer, not string',
    ],
    ['shell.run', { command: 'wc -l' }, 'shell.run does not take this input: command is string, not array'],
  ])('of %s is refused before anything begins', { timeout: 60_000 }, async (tool, input, why) => {
    const where = await newHome()
    await mkdir(join(where.cwd, 'work'), { recursive: true })
    await writeFile(join(where.home, 'config.yaml'), 'agents: {commands: [wc], hosts: [api.example.com]}\n')
    await writeFile(join(where.cwd, 'task.yaml'), task(tool, input))
    const ran = await witan(where, 'agents', 'run', 'task.yaml')
    expect(ran.code).toBe(2)
    expect(ran.stderr).toMatch(/error CONFIG_INVALID: \S+task\.yaml:1:/)
    expect(ran.stderr).toContain(why)
    expect(ran.stderr).toContain('^')
    expect(ran.stderr).toMatch(/next: It takes (path, content|command)/)
    const { traces } = (await witan(where, 'list', '--json')).json as {
      traces: readonly { readonly protocol: string }[]
    }
    expect(traces.map(({ protocol }) => protocol)).toEqual(['registry/1'])
  })
})

describe('AGT-TOOL-1 a call that was not granted', () => {
  it.each([
    [
      'shell.run',
      { command: ['curl', 'http://x.example'] },
      'the command curl is not granted; granted are wc',
    ],
    ['http.get', { url: 'https://x.example/' }, 'the host x.example port 443 is not granted'],
    ['files.write', { path: '.git/hooks/pre-commit', content: 'x' }, 'nothing is written into .git'],
  ])(
    'of %s is denied before anyone is asked, and says why',
    { timeout: 60_000 },
    async (tool, input, why) => {
      const where = await newHome()
      await mkdir(join(where.cwd, 'work'), { recursive: true })
      await writeFile(join(where.home, 'config.yaml'), 'agents: {commands: [wc], hosts: [api.example.com]}\n')
      await writeFile(join(where.cwd, 'task.yaml'), task(tool, input))
      const ran = await witan(where, 'agents', 'run', 'task.yaml', '--json')
      // Nothing is left to be proven: the operator ends it.
      expect(ran.code).toBe(8)
      const pending = await witan(where, 'agents', 'pending', '--json')
      expect(pending.stdout).not.toContain('p1-i1')
      const told = (await witan(where, 'agents', 'pending')).stdout.replaceAll(/\s+/g, ' ')
      expect(told).toContain(`p1 step a: denied by the policy (${why}`)
      const shown = await witan(where, 'show', 'last', '--json')
      const events = shown.stdout.split('\n').filter((line) => line.includes('intent_'))
      expect(events.join('\n')).toContain('"decision":"deny"')
      expect(events.join('\n')).toContain(why)
      expect(shown.stdout).not.toContain('tool_execution_started')
      expect((await witan(where, 'verify', 'last')).code).toBe(0)
    },
  )
})
