// Every kind of planted secret, in every encoding, laid where councils, reviews and tools look; then every byte that
// came out is searched for each of them, as it is, in base64 and with two bytes a letter: requests, homes, exports in
// every form and what was printed.

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { witan } from '../doors/command.ts'
import { type Asked, serveMinds } from '../fakes/minds.ts'
import { agentsHome, latestSession, runTask, traceOf } from '../support/agents-home.ts'
import { THREE } from '../support/council-run.ts'
import { leaksIn, NEEDLES, plantedForms, plantIn, TEXT } from '../support/leaks.ts'
import { everythingIn, machines, repository } from './table.ts'

const open = machines()

describe('planted secrets', () => {
  it('COU-C-2 come out of no council and no review: no request, file, export, page or line', async () => {
    const one = await open(THREE)
    repository(one.cwd)
    await plantIn(one.cwd)
    const out: string[] = []
    const asked = await one.run('ask', 'Shall we?', '--context', '.', '--json')
    expect(asked.code).toBe(0)
    const reviewed = await one.run('review', '--format', 'sarif', '-o', join(one.home, 'r.sarif'))
    const printed = await one.run('show', 'last')
    const preview = await one.run('ask', 'Shall we?', '--context', '.', '--preview', '--json')
    out.push(...[asked, reviewed, printed, preview].map(({ stdout, stderr }) => stdout + stderr))
    await one.run('export', String(asked.json.trace), '-o', join(one.home, 'c.witan'))
    await one.run('export', 'last', '--html', '-o', join(one.home, 'c.html'))
    for (const format of ['md', 'html', 'json']) {
      await one.run('resume', 'last', '--format', format, '-o', join(one.home, `r.${format}`))
    }
    const sent = one.server.heard.map(({ words }) => words).join('\n')
    for (const name of ['plain.md', 'wide.txt', 'wrapped.txt', 'deploy-0.yaml']) expect(sent).toContain(name)
    expect(sent).toContain('the end')
    expect(await readFile(join(one.home, 'c.witan'), 'utf8')).toContain('Shall we?')
    expect(leaksIn([sent, ...out, await everythingIn(one.home)].join('\n'))).toEqual([])
  }, 90_000)

  it('COU-C-2 come out of no session: no request, artifact, export, page or line', async () => {
    const home = await agentsHome()
    await plantIn(home.folder)
    const read = (path: string) => ({ tool: 'files.read', input: { path } })
    const calls = [...[...plantedForms().keys()].map(read), { tool: 'files.list', input: { path: '.' } }]
    const minds = await serveMinds({
      planner: [
        {
          proposals: [
            {
              objective: 'Read',
              assumptions: [],
              required_tools: ['files.read', 'files.list'],
              expected_evidence: [],
            },
          ],
        },
      ],
      executor: [
        ...calls.map((call) => ({ intent: { ...call, justification: 'it is next' } })),
        (_: Asked) => ({ give_up: { reason: 'enough' } }),
      ],
    })
    try {
      await minds.settings(home.home)
      const roles = { planner: 'ollama', executor: 'ollama' }
      const ran = await runTask(home, { roles, tools: ['files.read', 'files.list'] }, '--yes')
      const trace = (traceOf(ran) === 'undefined' ? null : traceOf(ran)) ?? (await latestSession(home))
      const shown = await witan(home, 'show', trace)
      await witan(home, 'export', trace, '-o', join(home.home, 's.witan'))
      await witan(home, 'export', trace, '--html', '-o', join(home.home, 's.html'))
      const sent = minds.asked.map(({ words }) => words).join('\n')
      expect(sent).toContain('the end')
      expect(minds.asked.length).toBeGreaterThan(calls.length)
      const out = [ran.stdout, ran.stderr, shown.stdout, shown.stderr, await everythingIn(home.home)]
      expect(leaksIn([sent, ...out].join('\n'))).toEqual([])
    } finally {
      await minds.close()
    }
  }, 90_000)

  it('a search of this kind finds what does come out', () => {
    expect(leaksIn(TEXT).length).toBeGreaterThan(NEEDLES.length / 2)
    expect(leaksIn(Buffer.from(TEXT).toString('base64')).length).toBeGreaterThan(NEEDLES.length / 3)
  })
})
