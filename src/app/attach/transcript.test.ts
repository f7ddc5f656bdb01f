import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { callsInTranscript, versionInTranscript } from './transcript.ts'

const folder = await mkdtemp(join(tmpdir(), 'witan-transcript-'))
afterAll(() => rm(folder, { recursive: true }))

/** As the real programs wrote them: calls that they would not make, and told no hook of, and one each that was made. */
const WRITTEN = {
  claude: [
    [
      'refused',
      'Edit',
      '<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>',
    ],
    [
      'refused too',
      'Bash',
      [{ type: 'text', text: '<tool_use_error>Blocked: standalone sleep 60.</tool_use_error>' }],
    ],
    ['made', 'Bash', 'Exit code 1\n<tool_use_error>'],
    ['made by a server', 'mcp__x__y', '<tool_use_error>as it says</tool_use_error>'],
  ].map(([id, name, content]) => ({
    message: {
      content: [
        { type: 'tool_use', id, name, input: {} },
        { type: 'tool_result', tool_use_id: id, is_error: true, content },
      ],
    },
  })),
  codex: [
    ['refused', 'failed to parse function arguments: missing field `cmd` at line 1 column 11'],
    ['refused too', 'unsupported call: no_such_tool'],
    ['made', 'Process exited with code 1\nOutput:\nunsupported call'],
  ].flatMap(([call_id, output]) => [
    {
      type: 'response_item',
      payload: { type: 'function_call', name: 'exec_command', arguments: '{}', call_id },
    },
    { type: 'response_item', payload: { type: 'function_call_output', call_id, output } },
  ]),
  gemini: [
    [
      'refused',
      "params must have required property 'file_path'",
      "params must have required property 'file_path'",
    ],
    [
      'made',
      "Could not find an exact match for 'old_string' in 'a.txt'.",
      'Error: Could not find an exact match.',
    ],
  ].map(([id, error, resultDisplay]) => ({
    toolCalls: [
      {
        ...{ id, name: 'replace', args: {}, status: 'error', resultDisplay },
        result: [{ functionResponse: { id, name: 'replace', response: { error } } }],
      },
    ],
  })),
}

const line = (id: string): string =>
  `${JSON.stringify({ message: { content: [{ type: 'tool_use', id, name: 'Bash', input: {} }] } })}\n`

describe('the transcript of a host', () => {
  it('AGT-X-7 is read only if it is a regular file', async () => {
    const pipe = join(folder, 'pipe')
    await promisify(execFile)('mkfifo', [pipe])
    for (const file of [pipe, '/dev/zero', folder, join(folder, 'none'), null]) {
      expect(await callsInTranscript('claude', file)).toBe(null)
      expect(await versionInTranscript('codex', file)).toBe(null)
    }
  })

  it.each(['claude', 'codex', 'gemini'] as const)(
    'AGT-X-7 distinguishes calls that %s refused by itself from calls that were made and failed',
    async (host) => {
      const file = join(folder, `${host}.jsonl`)
      await writeFile(file, WRITTEN[host].map((one) => `${JSON.stringify(one)}\n`).join(''))
      const calls = (await callsInTranscript(host, file)) ?? []
      expect(calls.length).toBeGreaterThan(1)
      for (const { call, refused, result } of calls)
        expect([call, refused, result?.ok]).toEqual([call, call.startsWith('refused'), false])
    },
  )

  it('AGT-X-7 is read up to a limit, and a line that is cut there is ignored', async () => {
    const file = join(folder, 'long.jsonl')
    await writeFile(file, `${line('one')}${line('two')}${line('three')}`)
    const calls = async (most?: number) =>
      (await callsInTranscript('claude', file, most))?.map(({ call }) => call)
    expect(await calls()).toEqual(['one', 'two', 'three'])
    expect(await calls(line('one').length + line('two').length + 20)).toEqual(['one', 'two'])
  })
})
