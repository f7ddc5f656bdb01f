// A review that is larger than the smallest window at the table, by the command: asked in parts, everything shown to
// every seat or named on top of the report, and what is sent is what the preview says.

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { finding, opinion } from '../fakes/council.ts'
import type { Seen } from '../fakes/scripted-server.ts'
import { wordsIn } from '../fakes/scripted-server.ts'
import { machines } from './table.ts'

const open = machines()

/** As a server counts that has no tokenizer: four characters a token. */
const tokensIn = ({ body }: Seen): number =>
  wordsIn((body as { readonly messages: unknown }).messages).length / 4

const WINDOWS = { a: 200_000, b: 128_000, c: 32_000 } as const

/** Refuses what its window does not take, in the vendor's words. */
const within =
  (window: number, answer: (asked: Seen) => object = () => ({ usual: true })) =>
  (asked: Seen): object =>
    tokensIn(asked) > window
      ? {
          act: 'error',
          kind: 'context_too_long',
          message: `This model's maximum context length is ${window} tokens`,
        }
      : answer(asked)

const FILES = Array.from({ length: 30 }, (_, i) => `src/module-${String(i).padStart(2, '0')}.ts`)
const textOf = (path: string): string =>
  `export const name = '${path}'\n${`// ${path} does its work here\n`.repeat(200)}`

async function reviewed(...args: readonly string[]) {
  const script = Object.fromEntries(
    Object.entries(WINDOWS).map(([name, window]) => {
      const usual = within(window)
      const found = (asked: Seen): object =>
        wordsIn(asked.body).includes("name = 'src/module-17.ts'")
          ? opinion({
              stance: 'reject',
              findings: [
                finding({
                  severity: 'critical',
                  file: 'src/module-17.ts',
                  line: 1,
                  description: `FLOOD by ${name}`,
                }),
              ],
            })
          : { usual: true }
      return [name, { R1: [within(window, found)], R2: [usual], R3: [usual] }]
    }),
  )
  const machine = await open(script)
  const config = Object.entries(WINDOWS).map(
    ([name, window]) =>
      `    - {name: ${name}, model: ${name}, base_url: "${machine.server.url}/v1", context_window: ${window}}`,
  )
  await writeFile(join(machine.home, 'config.yaml'), `council:\n  providers:\n${config.join('\n')}\n`, {
    mode: 0o600,
  })
  await mkdir(join(machine.cwd, 'src'))
  for (const path of FILES) await writeFile(join(machine.cwd, path), textOf(path))
  return { machine, ran: await machine.run('review', 'src', ...args, '--yes', '--json') }
}

interface Preview {
  readonly portions: number
  readonly prompts: readonly { readonly system: string; readonly text: string }[]
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
  readonly estimate: { readonly calls: number }
}

/** The code of tags is drawn when a council is opened. */
const uncoded = (text: string): string => text.replace(/-[0-9a-f]{12}\b/g, '-CODE')

describe('a review larger than the smallest window', () => {
  it('COU-P-4 shows every file to every seat, in the same parts, and sends exactly what the preview says', async () => {
    const { machine, ran } = await reviewed()
    expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
    const { server, run } = machine
    const first = server.heard.filter(({ round }) => round === 'R1')
    for (const name of Object.keys(WINDOWS)) {
      const words = first.filter(({ model }) => model === name).map((each) => each.words)
      for (const path of FILES)
        expect(words.filter((text) => text.includes(`name = '${path}'`))).toHaveLength(1)
    }
    const preview = (await run('review', 'src', '--preview', '--json')).json as unknown as Preview
    expect(preview.portions).toBeGreaterThan(1)
    const sent = first.filter(({ model }) => model === 'c').map(({ words }) => uncoded(words))
    for (const { text } of preview.prompts)
      expect(sent.filter((words) => words.includes(uncoded(text)))).toHaveLength(1)
    expect(preview.files.map(({ path }) => path)).toEqual(FILES)
    expect(preview.estimate.calls).toBe(3 * preview.portions + 3 + 1)
    expect(server.heard).toHaveLength(preview.estimate.calls)
    expect(ran.json).toMatchObject({
      metrics: { calls: preview.estimate.calls },
      report: { decision: 'adopt' },
    })
    expect(JSON.stringify(ran.json.report)).not.toContain('No seat was shown')
    // A finding of one part reaches the chair.
    expect(server.heard.find(({ round }) => round === 'R3')?.words).toContain('FLOOD by')
    const verdict = await run('verify', String(ran.json.trace), '--json')
    expect(verdict.json).toMatchObject({ status: 'pass', failures: [] })
  }, 60_000)

  it('COU-P-4 names on top of the report what no seat was shown, and refuses a gate on it', async () => {
    const { machine, ran } = await reviewed('--parts', '2')
    expect(ran.code).toBe(0)
    const [notice] = (ran.json.report as { notices: readonly string[] }).notices
    expect(notice).toMatch(/^No seat was shown all of \d+ files: src\/module-\d\d\.ts \(not at all\)/)
    const shown = await machine.run('report', 'last', '--full')
    expect(shown.stdout.indexOf('No seat was shown all of')).toBeLessThan(
      shown.stdout.indexOf('Do it behind a flag'),
    )
    const before = machine.server.heard.length
    const gated = await machine.run('review', 'src', '--parts', '2', '--fail-on', 'high', '--yes', '--json')
    expect(gated).toMatchObject({
      code: 2,
      json: { error: { code: 'USAGE', message: expect.stringContaining('no seat is shown') } },
    })
    expect(machine.server.heard).toHaveLength(before)
    const whole = await machine.run('review', 'src', '--fail-on', 'high', '--yes', '--json')
    const why = 'the report neither takes up nor answers 3 findings of severity high or worse'
    expect([whole.code, whole.json.gate]).toEqual([9, { open: false, why }])
  }, 60_000)
})
