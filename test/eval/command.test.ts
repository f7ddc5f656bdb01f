import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { machines } from '../council/table.ts'
import { scriptsOf, simulatedSet } from '../fakes/simulated-members.ts'

const open = machines()

/** Three who know everything but every fourth item, and a chair that spoils everything. */
const HARMFUL = scriptsOf({
  members: Object.fromEntries(
    ['ada', 'ben', 'cyd'].map((name) => [name, { knows: (item: number) => (item % 4 === 0 ? -item : item) }]),
  ),
  chair: (item) => -item,
})

const ITEMS = 16

describe('witan eval', () => {
  it('COU-X-4 plans, evaluates, says the loss first, and everything about it can be had again and verified', async () => {
    const { run, server, cwd } = await open(HARMFUL)
    await writeFile(join(cwd, 'set.jsonl'), simulatedSet(ITEMS))

    const plan = await run('eval', '--plan', 'set.jsonl', '--json')
    expect(plan.json).toMatchObject({
      items: ITEMS,
      calls: ITEMS * 7,
      primary: { arm: 'council', against: 'vote' },
    })
    expect(server.heard).toHaveLength(0)

    const page = ['-o', 'worth.html']
    const made = await run('eval', 'set.jsonl', '--yes', '--arms', 'council,single,vote,plain:ada', ...page)
    expect(made.code).toBe(0)
    expect(made.stderr).not.toContain('Warning')
    expect(made.stdout.split('\n')[0]).toMatch(/^council is worse than vote by 75\.0 points/)
    expect(made.stdout).toMatch(/^vote +12\/16 +75\.0 %/m)
    expect(made.stdout).toContain('vote → council: 12 right→wrong, 0 wrong→right')
    // Arms share round one: only the one plain answer is asked besides.
    expect(server.heard).toHaveLength(ITEMS * 8)
    const html = await readFile(join(cwd, 'worth.html'), 'utf8')
    expect(html).toContain('council is worse than vote')
    expect(html.match(/<svg /g)?.length).toBeGreaterThanOrEqual(2)

    const again = await run('report', 'last:eval', '--json')
    const trace = String(again.json.trace)
    expect(again.json).toMatchObject({
      schema: 'witan-eval/1',
      status: 'completed',
      primary: { verdict: 'worse' },
    })
    expect(html).toContain(trace)
    const [item] = again.json.items as { councils: { trace: string }[] }[]
    const council = item?.councils[0]?.trace ?? ''
    expect(html).toContain(council)
    const [whole, one, listed] = await Promise.all([
      run('verify', trace, '--json'),
      run('verify', council, '--json'),
      run('list', '--all'),
    ])
    const compared = { named: ITEMS, compared: ITEMS, absent: 0, erased: 0 }
    expect(whole.json).toMatchObject({ status: 'pass', failures: [], councils: compared })
    expect(one.json).toMatchObject({ status: 'pass', failures: [] })
    expect(listed.stdout).toMatch(/eval +worse/)

    // In files too: alone it is verified without its councils, beside them they are compared.
    await run('export', trace, '-o', 'worth.witan', '--councils')
    const elsewhere = ['--home', join(cwd, 'elsewhere'), '--json']
    const beside = await run('verify', 'worth.witan', ...elsewhere)
    expect(beside.json).toMatchObject({ digest: expect.any(String), councils: compared })
    await rename(join(cwd, 'worth.witan.councils'), join(cwd, 'away'))
    const alone = await run('verify', 'worth.witan', ...elsewhere)
    expect(alone.json).toMatchObject({
      status: beside.json.status,
      digest: beside.json.digest,
      councils: { ...compared, compared: 0, absent: ITEMS },
    })
    expect((await run('verify', 'worth.witan', '--home', join(cwd, 'elsewhere'))).stdout).toContain(
      `councils  ${ITEMS} not here, not compared`,
    )
    expect((await run('export', council, '-o', 'one.witan', '--councils')).code).toBe(2)

    // A set that was mended is graded without asking anyone.
    const mended = simulatedSet(ITEMS).replace('"target":"4"', '"target":"-4"')
    await writeFile(join(cwd, 'mended.jsonl'), mended)
    const regraded = await run('eval', 'mended.jsonl', '--regrade', trace, '--require', 'better', '--json')
    expect(regraded.code).toBe(9)
    expect(server.heard).toHaveLength(ITEMS * 8)
    const arms = regraded.json.arms as { arm: string; right: number }[]
    expect(arms.find(({ arm }) => arm === 'vote')?.right).toBe(13)
    expect((await run('verify', String(regraded.json.trace), '--json')).json).toMatchObject({
      status: 'pass',
    })

    // How a council turned out, and councils as lines for other tools.
    expect((await run('outcome', council, 'wrong: the number was another', '--json')).json).toMatchObject({
      outcome: 'wrong',
      note: 'the number was another',
      council: { trace: council },
    })
    expect((await run('doctor')).stdout).toContain('0 of 1 councils turned out right')
    // An outcome is no evaluation.
    expect((await run('report', 'last:eval', '--json')).json.trace).toBe(regraded.json.trace)
    const asJson = await run('report', trace, '--format', 'json')
    expect(JSON.parse(asJson.stdout)).toEqual(again.json)
    await run('export', trace, '--flat', '-o', 'councils.jsonl')
    const lines = (await readFile(join(cwd, 'councils.jsonl'), 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines).toHaveLength(ITEMS)
    expect(lines[0]).toMatchObject({
      trace: council,
      eval: trace,
      item: 'i1',
      outcome: 'wrong',
      grades: { vote: true },
    })
    expect((await run('outcome', trace, 'right')).code).toBe(2)
  }, 120_000)

  it('COU-X-4 refuses what cannot be evaluated before anybody is asked', async () => {
    const { run, server, cwd } = await open(HARMFUL)
    await writeFile(join(cwd, 'set.jsonl'), simulatedSet(3))
    await writeFile(join(cwd, 'bad.jsonl'), '{"input":"a"}')
    const cases: [string[], RegExp][] = [
      [['eval', 'nowhere.jsonl'], /there is no file/],
      [['eval', 'bad.jsonl'], /line 1: target is missing/],
      [['eval', 'set.jsonl', '--arms', 'council,oracle'], /there is no arm oracle/],
      [['eval', 'set.jsonl', '--primary', 'council'], /names no two arms/],
      [['eval', 'set.jsonl', '--grader', 'model:zoe', '--plan'], /./],
      [['eval', 'set.jsonl', '--repeat', '0'], /--repeat is a number/],
      [['eval', 'set.jsonl', '--budget', 'much'], /amount in US dollars/],
    ]
    for (const [args, words] of cases) {
      const { code, stderr, stdout } = await run(...args, '--yes')
      expect(stderr + stdout).toMatch(words)
      if (!args.includes('--plan')) expect([2, 7]).toContain(code)
    }
    expect(server.heard).toHaveLength(0)
  }, 60_000)
})
