// Secrets in what people type: questions, constraints, what is based on standard input, terms, words into a pool, reasons.
// Each is removed before anything is sent or recorded, a marker is in its place, and the person is told.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, start, witan } from '../doors/command.ts'
import { PLANTED } from '../fakes/planted.ts'
import { addPerson, agentsHome, runTask, traceOf, WRITING, writeFiles } from '../support/agents-home.ts'
import { THREE } from '../support/council-run.ts'
import { leaksIn, TEXT } from '../support/leaks.ts'
import { openPoolHome } from '../support/pool-home.ts'
import { everythingIn, machines } from './table.ts'

const open = machines()
const secret = (at: number): string => PLANTED[at]?.[1] ?? ''
/** Of a kind that a file of terms or a task is not refused for. */
const WRITTEN = `The ${'pass'}word is Gr4nite-Otter, tell nobody.`
const TOLD = /taken out of your words/

describe('secrets that are typed', () => {
  it('COU-C-2 come out of no question, constraint, focus or standard input', async () => {
    const one = await open(THREE)
    const words = ['--constraint', `keep ${secret(1)}`, '--focus', `on ${secret(2)}`]
    const asked = await one.run('ask', `Is ${secret(0)} safe?`, ...words, '--json')
    expect([asked.code, TOLD.test(asked.stderr)]).toEqual([0, true])
    const council = await one.run('council', `Is ${secret(3)} safe?`, ...words)
    expect([council.code, TOLD.test(council.stderr)]).toEqual([0, true])
    const preview = await one.run('ask', `Is ${secret(0)} safe?`, ...words, '--preview', '--json')
    const child = start(['ask', '-'], one)
    child.stdin?.write(TEXT.slice(0, 15_000))
    const piped = await ended(child)
    expect([piped.code, TOLD.test(piped.stderr)]).toEqual([0, true])
    const shown = await one.run('show', 'last')
    for (const [form, name] of [
      ['--html', 'c.html'],
      ['--json', 'c.witan'],
    ] as const)
      await one.run('export', 'last', form, '-o', join(one.home, name))
    const sent = one.server.heard.map((heard) => heard.words).join('\n')
    expect(sent).toContain('[secret removed: ')
    const printed = [asked, council, preview, piped, shown].map(({ stdout, stderr }) => stdout + stderr)
    const out = [...printed, await everythingIn(one.home)]
    expect(leaksIn([sent, ...out].join('\n'))).toEqual([])
  }, 90_000)

  it('COU-C-2 come out of no exchange: terms, injections, answers, reasons, map, page or line', async () => {
    const house = await openPoolHome()
    try {
      const { home, cwd } = house.where
      const terms = await house.terms('terms.yaml', { pool: { prompt: `${WRITTEN}` } })
      const out: string[] = []
      const run = async (...args: readonly string[]) => {
        const ran = await witan(house.where, 'exchange', ...args)
        out.push(ran.stdout, ran.stderr)
        return ran
      }
      const first = await run('run', '--terms', terms, '--rounds', '2', '--json')
      expect([first.code, TOLD.test(first.stderr)]).toEqual([0, true])
      const trace = traceOf(first)
      for (const [verb, at] of [
        ['inject', 1],
        ['say', 2],
      ] as const) {
        const ran = await run(verb, trace, `Look at ${secret(at)} now.`)
        expect([ran.code, ran.stdout.includes('[secret removed: '), TOLD.test(ran.stderr)]).toEqual([
          0,
          true,
          true,
        ])
      }
      await house.terms('other.yaml', { pool: { prompt: `Think. ${WRITTEN}` } })
      await run('terms', trace, '--set', 'other.yaml', '--reason', `since ${secret(4)}`)
      await run('run', trace, '--rounds', '2')
      await run('branch', trace, '--terms', 'other.yaml', '--reason', `as ${secret(5)}`)
      await run('map', trace, '-o', join(home, 'map.html'))
      await run('map', trace, '-o', join(home, 'map.svg'))
      await run('export', trace, '-o', join(home, 'rows.jsonl'))
      out.push((await witan(house.where, 'show', trace)).stdout)
      await witan(house.where, 'export', trace, '--html', '-o', join(home, 'e.html'))
      await writeFile(join(cwd, 'terms.yaml'), '')
      const sent = house.asked.map(({ words }) => words).join('\n')
      expect(sent).toContain('[secret removed: ')
      expect(leaksIn([sent, ...out, await everythingIn(home)].join('\n'))).toEqual([])
    } finally {
      await house.server.close()
    }
  }, 120_000)

  it('COU-C-2 come out of no objective, constraint or reason of a session', async () => {
    const home = await agentsHome()
    await writeFiles(home.home, { 'config.yaml': 'agents: {approvals_without_terminal: true}\n' })
    await addPerson(home)
    const said = { ...WRITING, objective: `Note it. ${WRITTEN}`, constraints: [WRITTEN] }
    const ran = await runTask(home, said)
    expect([ran.code, TOLD.test(ran.stderr)]).toEqual([8, true])
    const reason = ['--by', 'ana', '--reason', `I know ${secret(2)}`]
    const agreed = await witan(home, 'agents', 'approve', traceOf(ran), ...reason)
    expect([agreed.code, TOLD.test(agreed.stderr)]).toEqual([0, true])
    const shown = await witan(home, 'show', traceOf(ran))
    expect(shown.stdout).toContain('[secret removed: ')
    const out = [ran, agreed, shown].map(({ stdout, stderr }) => stdout + stderr)
    expect(leaksIn([...out, await everythingIn(home.home)].join('\n'))).toEqual([])
  }, 60_000)
})
