// What the detector makes of texts, for anyone who wants to measure it: a line in, a line out.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { here } from '../doors/here.ts'

let cwd: string
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'witan-score-'))
})
afterAll(() => rm(cwd, { recursive: true, force: true }))

async function scored(content: string) {
  const file = join(cwd, 'texts.jsonl')
  await writeFile(file, content)
  return here({ home: join(cwd, 'home'), cwd }, 'exchange', 'score', file)
}
const lines = (texts: readonly string[]): string =>
  texts.map((text) => `${JSON.stringify({ text })}\n`).join('')

describe('scoring a file', () => {
  it('EXC-DET-1 gives a line for each text, in order, and counts what asks for a restart', async () => {
    const asks = ['I ask that we restart this exchange from the beginning.', '[RESTART]']
    const others = ['The server was restarted at noon.', 'We should not start over.', '']
    const { code, stdout } = await scored(`${lines([...asks, ...others])}\n`)
    expect(code).toBe(0)
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(rows.map(({ counts }) => counts)).toEqual([true, true, false, false, false])
    for (const row of rows) expect(row).toEqual({ score: expect.any(Number), counts: expect.any(Boolean) })
  })

  it.each([
    ['is no JSON', 'nonsense', 'not JSON'],
    ['holds no text', '{"words": "x"}', 'holds no text'],
    ['is null', 'null', 'holds no text'],
    ['is too long', JSON.stringify({ text: 'x'.repeat(2_000_001) }), 'over 2000000 characters'],
  ])('names the line that %s', async (_, line, words) => {
    const { code, stderr } = await scored(`${lines(['fine'])}\n${line}\n`)
    expect([code, stderr]).toEqual([7, expect.stringContaining(`texts.jsonl:3: this `)])
    expect(stderr).toContain(words)
  })
})
