// What people type every day, through the command itself.

import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { hasTmux, Pane } from '../support/tmux.ts'
import { ended, newHome, start, type Where, witan } from './command.ts'

let where: Where & { readonly cwd: string }

const ask = async (question: string, ...more: string[]) =>
  JSON.parse((await witan(where, 'ask', question, '--seats', 'embedded', '--json', ...more)).stdout) as {
    trace: string
  }

interface Hits {
  readonly found: readonly {
    readonly trace: string
    readonly seq: number
    readonly type: string
    readonly passage: string
  }[]
  readonly more: boolean
}
const find = async (...words: string[]): Promise<Hits> =>
  JSON.parse((await witan(where, 'find', ...words, '--json')).stdout) as Hits

beforeAll(async () => {
  where = await newHome()
  await writeFile(join(where.cwd, 'notes.md'), 'The osprey cache is cold.\n\u001b[31mred\u001b[0m osprey\n')
})

describe('witan find', () => {
  it('APP-15 finds what was asked, answered and read, with the words around it', async () => {
    const { trace } = await ask('Shall the osprey cache be warmed?', '--context', 'notes.md')
    const { found } = await find('osprey')
    expect(found.length).toBeGreaterThanOrEqual(2)
    expect(found.every((one) => one.trace === trace)).toBe(true)
    expect(found.at(-1)).toMatchObject({ seq: 0, type: 'council_opened' })
    expect(found.at(-1)?.passage).toContain('Shall the osprey cache be warmed?')
    const shown = await witan(where, 'find', 'osprey', 'cold')
    expect(shown.stdout).toContain(trace)
    expect(shown.stdout).not.toContain('\u001b')
    expect(shown.stderr).toContain(`witan show ${trace} `)
  })

  it('APP-15 narrows by date, seat, protocol, verdict, cost and trace', async () => {
    const count = async (...options: string[]) => (await find('osprey', ...options)).found.length
    const all = await count()
    expect(await count('--since', '1d')).toBe(all)
    expect(await count('--since', '2999-01-01')).toBe(0)
    expect(await count('--seat', 'embedded')).toBe(1)
    expect(await count('--protocol', 'agents')).toBe(0)
    expect(await count('--verdict', 'need-info')).toBe(all)
    expect(await count('--verdict', 'adopt')).toBe(0)
    expect(await count('--min-cost', '0.01')).toBe(0)
    expect(await count('--in', 'last')).toBe(all)
    expect(await find('osprey', '--limit', '1')).toMatchObject({ more: true, found: [{}] })
  })

  it('APP-15 takes the words of a review as its report says them, and as they are recorded', async () => {
    const own = await newHome()
    await writeFile(join(own.cwd, 'curlew.ts'), 'export const curlew = 1 // TODO\n')
    await witan(own, 'ask', 'Shall the curlew be kept?', '--seats', 'embedded')
    const ran = await witan(own, 'review', 'curlew.ts', '--seats', 'embedded', '--json')
    const { report } = ran.json as { report: { decision: string } }
    const words = { adopt: 'approve', reject: 'request changes', 'need-info': 'needs info' }[report.decision]
    const modes = async (verdict: string): Promise<ReadonlySet<string>> => {
      const { json } = await witan(own, 'find', 'curlew', '--verdict', verdict, '--json')
      return new Set((json as { traces: { about: string }[] }).traces.map(({ about }) => about))
    }
    const review = await modes(words ?? '')
    expect(review.size).toBe(1)
    expect(await modes((words ?? '').replace(' ', '-'))).toEqual(review)
    expect([...(await modes(report.decision))]).toEqual(expect.arrayContaining([...review]))
    expect([...review].join()).not.toContain('Shall the curlew be kept?')
  })

  it.skipIf(!hasTmux)('U-7 asks at a terminal before it erases, by the id of the trace', async () => {
    const own = await newHome()
    await witan(own, 'ask', 'Shall the heron be kept?', '--seats', 'embedded')
    const { stdout } = await witan(own, 'list', '--quiet')
    const trace = stdout.split('\n')[0] ?? ''
    const pane = new Pane({ ...own, columns: 100 }, 'redact', 'last:council', '0', '--reason', 'a name')
    try {
      await pane.reads('for good?')
      expect(pane.screen()).toContain(`Erase event 0 (council_opened) of ${trace} for good? [y/N]`)
      pane.type('n')
      await pane.reads('nothing was erased')
    } finally {
      pane.close()
    }
  })

  it('LED-14 finds nothing that was redacted, and no file of the home holds it', async () => {
    const { trace } = await ask('Is the quetzalplover safe?')
    expect((await find('quetzalplover')).found.length).toBeGreaterThan(0)
    for (let round = 0; round < 9; round++) {
      const [hit] = (await find('quetzalplover')).found
      if (!hit) break
      const seq = String(hit.seq)
      expect((await witan(where, 'redact', trace, seq, '--everywhere', '--reason', 'a name')).code).toBe(0)
    }
    expect((await find('quetzalplover')).found).toEqual([])
    const holding = readdirSync(where.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes('quetzal'))
    expect(holding).toEqual([])
  })
})

describe('standard input', () => {
  const asked = ['ask', 'Why does it fail?', '--seats', 'embedded', '--json']
  const files = (json: { readonly [name: string]: unknown }) => JSON.stringify(json)

  it('APP-2 APP-11 is context beside a question in words', async () => {
    const child = start(asked, where)
    child.stdin?.write('The gannet job failed with code 9.\n')
    const { code, json } = await ended(child)
    expect(code).toBe(0)
    const { stdout } = await witan(where, 'show', String(json.trace), '0', '--json')
    expect(stdout).toContain('"path":"stdin"')
    expect((await find('gannet')).found.length).toBeGreaterThan(0)
  })

  it('APP-2 APP-11 that stays open and silent is not waited for', async () => {
    const child = start(asked, where)
    const output: Buffer[] = []
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect(code).toBe(0)
    expect(files(JSON.parse(Buffer.concat(output).toString()))).not.toContain('"stdin"')
  })

  it('APP-2 that is no text is refused with what to do instead', async () => {
    const child = start(asked, where)
    child.stdin?.write(Buffer.from([0, 1, 2, 3]))
    const { code, json } = await ended(child)
    expect([code, json]).toMatchObject([2, { error: { code: 'USAGE' } }])
  })
})

describe('naming and listing traces', () => {
  it('APP-2 takes last:council, and every id as short as list shows it', async () => {
    const { stdout } = await witan(where, 'list')
    const [heading, first = ''] = stdout.split('\n')
    expect(heading).toMatch(/^TRACE +WHAT +CAME TO +COST +AGE +ABOUT$/)
    const [short = ''] = first.split(' ')
    const newest = (await witan(where, 'list', '--quiet')).stdout.split('\n')[0]
    expect(newest?.startsWith(short)).toBe(true)
    expect(short.length).toBeLessThan(26)
    const last = await witan(where, 'show', 'last:council', '--json')
    expect(last.json.protocol).toBe('council/1')
    expect((await witan(where, 'show', short, '--json')).json.trace).toBe(newest)
    expect(stdout).toMatch(/council +need-info/)
    expect(await witan(where, 'show', 'last:agents')).toMatchObject({ code: 7 })
    const wrong = await witan(where, 'show', 'last:counsel')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('last:council')])
  })
})

describe('the last trace', () => {
  it('APP-11 stays the council of which an outcome was noted', async () => {
    const own = await newHome()
    const { trace } = (await witan(own, 'ask', 'Shall the lark be kept?', '--seats', 'embedded', '--json'))
      .json
    expect((await witan(own, 'outcome', 'last', 'right')).code).toBe(0)
    expect((await witan(own, 'report', 'last', '--json')).json).toMatchObject({ trace })
    expect((await witan(own, 'show', 'last', '--json')).json).toMatchObject({ trace })
  })
})

describe('witan costs', () => {
  it('COU-X-8 APP-2 adds up what askings cost by seat, mode and day, and counts those without a price apart', async () => {
    const { json } = await witan(where, 'costs', '--by', 'seat', '--json')
    expect(json).toMatchObject({ by: 'seat', total: { usd: 0 }, lines: [{ name: 'embedded' }] })
    // Of the council whose opening was redacted no one knows the mode.
    const modes = (await witan(where, 'costs', '--by', 'mode', '--json')).json
    expect(modes).toMatchObject({
      lines: [
        { name: 'ask', calls: 3 },
        { name: 'council', calls: 1 },
      ],
    })
    expect((await witan(where, 'costs', '--by', 'day', '--json')).json).toMatchObject({ by: 'day' })
    expect((await witan(where, 'costs', '--since', '2999-01-01')).stdout).toContain('No model was asked')
    expect((await witan(where, 'costs', '--since', 'soon')).code).toBe(2)
  })

  it.each([['-v'], ['version'], ['--version']])('APP-2 prints its version for %s', async (word) => {
    expect((await witan(where, word)).stdout).toMatch(/^witan \d+\.\d+\.\d+/)
  })
})
