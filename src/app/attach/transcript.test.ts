import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { callsInTranscript, versionInTranscript } from './transcript.ts'

const folder = await mkdtemp(join(tmpdir(), 'witan-transcript-'))
afterAll(() => rm(folder, { recursive: true }))

const line = (id: string): string =>
  `${JSON.stringify({ message: { content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] } })}\n`

describe('the transcript of a host', () => {
  it('AGT-X-7 is read only where it is a file that has an end', async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    for (const file of [pipe, '/dev/zero', folder, join(folder, 'none'), null]) {
      expect(await callsInTranscript('claude', file)).toBe(null)
      expect(await versionInTranscript('codex', file)).toBe(null)
    }
  })

  it('AGT-X-7 is read up to a bound, and what is cut there is passed over', async () => {
    const file = join(folder, 'long.jsonl')
    await writeFile(file, `${line('one')}${line('two')}${line('three')}`)
    const calls = async (most?: number) =>
      (await callsInTranscript('claude', file, most))?.map(({ call }) => call)
    expect(await calls()).toEqual(['one', 'two', 'three'])
    expect(await calls(line('one').length + line('two').length + 20)).toEqual(['one', 'two'])
  })
})
