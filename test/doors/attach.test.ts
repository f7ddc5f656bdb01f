// Hosts as their own recorded hook payloads: what is recorded, gated, denied, reconciled and closed.

import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../support/sources.ts'
import {
  announcing,
  attached,
  type Bench,
  closed,
  gateOf,
  type Host,
  play,
  residentOf,
  shell,
} from './attached-host.ts'
import { directory, witan } from './command.ts'

/** The story without its line breaks. */
const told = async (bench: Bench): Promise<string> =>
  (await witan(bench, 'show', 'last')).stdout.replaceAll(/\s+/g, ' ')

/** A line of Claude's transcript. */
const claudeCall = (id: string): string =>
  `${JSON.stringify({ message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'echo hi' } }] } })}\n`

/** What Claude would not even try. */
const claudeRefusal = (id: string): string =>
  `${JSON.stringify({ message: { content: [{ type: 'tool_result', tool_use_id: id, is_error: true, content: '<tool_use_error>Blocked: standalone sleep 60.</tool_use_error>' }] } })}\n`

/** A key that its owner made elsewhere. */
async function bringKey(bench: Bench, agent: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const file = join(bench.cwd, `${agent}.pem`)
  await writeFile(file, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 })
  await writeFile(`${file}.pub`, publicKey.export({ format: 'pem', type: 'spki' }))
  await witan(bench, 'keys', 'add', agent, '--role', 'critic', '--public', `${file}.pub`)
  return file
}

describe('attached hosts', () => {
  it.each<[Host, string, string]>([
    [
      'claude',
      'pass',
      'claude-code 2.1.197, as it says, announced 6 tool calls: 4 completed, 2 failed. Nothing was gated.',
    ],
    ['codex', 'pass', 'codex 0.169.0, as it says, announced 4 tool calls: 4 completed. Nothing was gated.'],
    [
      'gemini',
      'pass',
      'gemini-cli unknown, as it says, announced 6 tool calls: 4 completed, 2 failed. Nothing was gated.',
    ],
  ])(
    'AGT-X-7 records the calls of %s from its own payloads, and the trace verifies',
    async (host, status, claim) => {
      const bench = await attached(host)
      const answers = await play(bench)
      expect(answers.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual(
        answers.map(() => [0, '', '']),
      )
      const { proven, status: phase } = await closed(bench)
      expect([phase, proven]).toMatchObject(['completed', [{ text: claim }]])
      const report = await witan(bench, 'verify', 'last', '--json')
      expect([report.code, report.json.status]).toEqual([0, status])
      expect(await told(bench)).toContain('not gated')
      const { json } = await witan(bench, 'agents', 'summary', '--since', '7d', '--json')
      const calls = Number(/announced (\d+) tool/.exec(claim)?.[1])
      expect(json.lines).toMatchObject([
        { folder: bench.cwd, sessions: 1, open: 0, calls, gaps: 0, ungated: 1 },
      ])
      const { stdout } = await witan(bench, 'agents', 'summary')
      expect(stdout).toContain(`1 session (1 not gated), ${calls} calls: 0 denied, 0 approved by a person`)
    },
  )

  it('AGT-X-7 gates: a call that needs a person is denied with the command to type, and runs once, after they approved', async () => {
    const bench = await attached('claude', '--gate', '--wait', '0')
    await writeFile(bench.transcript, '')
    const key = await bringKey(bench, 'ana')
    const call = (id: string) => ({
      ...announcing(bench, 'Bash'),
      tool_input: { command: 'rm -rf build' },
      tool_use_id: id,
    })
    const denied = await bench.tell(call('one'))
    expect([denied.code, denied.stdout]).toEqual([2, ''])
    expect(denied.stderr).toMatch(/p1-i1 needs a person.*witan agents approve \S+ p1-i1/)
    const pending = await witan(bench, 'agents', 'pending', '--json')
    // The key that it proposes to make is one that counts here.
    const counts = expect.stringMatching(/^witan keys add \S+ --role critic --passphrase$/)
    expect(pending.json.pending).toMatchObject([
      {
        subject: 'p1-i1',
        input: { command: 'rm -rf build' },
        commands: [counts, expect.any(String), expect.any(String)],
      },
    ])
    const approval = ['agents', 'approve', 'last', 'p1-i1', '--reason', 'it is built anew']
    const unproven = await witan(bench, ...approval)
    expect([unproven.code, unproven.stderr]).toMatchObject([
      expect.any(Number),
      expect.stringContaining('next:'),
    ])
    const approved = await witan(bench, ...approval, '--key', key)
    expect([approved.code, approved.stdout]).toEqual([0, expect.stringContaining('ana approved p1-i1')])
    // The same call takes the approval up; another one of the same kind needs its own.
    expect((await bench.tell(call('two'))).code).toBe(0)
    const again = await bench.tell(call('three'))
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('p1-i2 needs a person')])
    const after = {
      ...call('two'),
      hook_event_name: 'PostToolUse',
      tool_response: { stdout: '' },
      duration_ms: 3,
    }
    expect((await bench.tell(after)).code).toBe(0)
    const { proven } = await closed(bench)
    expect(proven).toMatchObject([{ text: expect.stringContaining('1 completed, 1 was never started.') }])
    const { json } = await witan(bench, 'agents', 'summary', '--json')
    expect(json.total).toMatchObject({ sessions: 1, calls: 2, approved: 1, denied: 0, ungated: 0 })
    expect((await witan(bench, 'verify', 'last', '--json')).json.status).toBe('pass')
  })

  it('AGT-X-7 waits in the hook while a person answers elsewhere, and tells the host what they blocked', async () => {
    const bench = await attached('gemini', '--gate', '--wait', '40', '--policy', 'default')
    const key = await bringKey(bench, 'ana')
    const waits = bench.tell(announcing(bench, 'write_file'))
    let waiting: readonly unknown[] = []
    while (waiting.length === 0) {
      const { code, json } = await witan(bench, 'agents', 'pending', '--json')
      waiting = code === 0 ? (json.pending as readonly unknown[]) : []
    }
    const blocked = await witan(bench, 'agents', 'block', 'last', '--reason', 'not that file', '--key', key)
    expect(blocked.stderr).toContain('The call does not run')
    const { code, stderr } = await waits
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^Witan blocked p1-i1 .*not that file/)])
  })

  it('AGT-X-7 fails closed: what is no JSON, a home that is gone, a hook that cannot be started', async () => {
    const bench = await attached('codex', '--gate')
    const call = announcing(bench, 'Bash')
    const garbage = await bench.tell({ hook_event_name: 'PreToolUse' })
    expect([garbage.code, garbage.stderr]).toEqual([
      2,
      expect.stringContaining('the host sent no session_id'),
    ])
    // What cannot be read is told as it is, and not as an attachment that was never made.
    const [note = ''] = (await readdir(join(bench.home, 'attachments'))).filter((name) =>
      /^codex-.*json$/.test(name),
    )
    const noted = join(bench.home, 'attachments', note)
    await rename(noted, `${noted}.kept`)
    await mkdir(noted)
    const unreadable = await bench.tell(call)
    expect([unreadable.code, unreadable.stderr]).toEqual([
      2,
      expect.stringContaining('so it is denied: EISDIR'),
    ])
    await rename(bench.home, `${bench.home}.gone`)
    const gone = await bench.tell(call)
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('so it is denied')])
    const { hooks } = JSON.parse(await readFile(bench.settings, 'utf8'))
    const command: string = hooks.PreToolUse[0].hooks[0].command
    const missing = await shell(command.replace('bin/hook.cjs', 'bin/nothing.js'), bench)
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('so the call is denied')])
    const killed = await shell(command.replace(/^/, 'kill -9 $$ & wait; '), bench)
    expect(killed.code).not.toBe(0)
  })

  it('AGT-X-7 is answered by the process that the first hook left behind, and recorded in the same session', async () => {
    const bench = await attached('claude', '--gate', '--wait', '0')
    await writeFile(bench.transcript, '')
    const { command } = await gateOf(bench)
    // Nothing but the resident process can answer this one.
    const resident = command.replaceAll('bin/hook.cjs', 'bin/nothing.js')
    const call = (id: string, bash: string) =>
      JSON.stringify({ ...announcing(bench, 'Bash'), tool_use_id: id, tool_input: { command: bash } })
    expect((await shell(resident, bench, call('zero', 'ls'))).code).toBe(2)
    expect((await shell(command, bench, call('one', 'ls'))).code).toBe(0)
    await residentOf(bench)
    const answers = await Promise.all(
      ['two', 'three', 'four'].map((id) => shell(resident, bench, call(id, `ls ${id}`))),
    )
    expect(answers.map(({ code, stdout, stderr }) => [code, stdout, stderr])).toEqual(
      answers.map(() => [0, '', '']),
    )
    const denied = await shell(resident, bench, call('five', 'rm -rf build'))
    expect([denied.code, denied.stdout, denied.stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^Witan: p1-i5 needs a person's approval/),
    ])
    const { proven } = await closed(bench)
    expect(proven).toMatchObject([
      {
        text: expect.stringContaining(
          '2.1.197, as it says, announced 5 tool calls: 1 was never started, 4 have',
        ),
      },
    ])
    // It was closed by another process: the next call begins a part that names it.
    expect((await shell(resident, bench, call('six', 'ls'))).code).toBe(0)
    expect(await told(bench)).toContain('continues ')
  })

  it('AGT-X-7 is denied when the hook hangs, or when what listens in its place gives no clean answer', async () => {
    const bench = await attached('codex', '--gate', '--wait', '0')
    const { command, timeout } = await gateOf(bench)
    const [, seconds = ''] = / '(\d+)' '[^']*node'/.exec(command) ?? []
    expect(Number(seconds)).toBeLessThan(timeout)
    const hang = join(bench.cwd, 'hang.mjs')
    await writeFile(hang, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)')
    const soon = command.replaceAll(` '${seconds}' `, " '1' ").replaceAll(`-sm ${seconds}`, '-sm 1')
    const hung = await shell(soon.replace(join(projectRoot, 'bin/hook.cjs'), hang), bench, '{}')
    expect([hung.code, hung.stderr]).toEqual([2, expect.stringContaining('so the call is denied')])
    for (const answer of [null, 200, 500]) {
      const socket = join(bench.home, 'attachments/hook.sock')
      const server = createServer((_, response) => {
        if (answer !== null) response.writeHead(answer).end('yes')
      })
      await new Promise<void>((resolve) => server.listen(socket, resolve))
      const { code, stderr } = await shell(soon, bench, '{}')
      server.closeAllConnections()
      server.close()
      expect([answer, code, stderr]).toEqual([answer, 2, expect.stringContaining('so the call is denied')])
    }
  })

  it('AGT-X-7 never blocks when it records: what could not be recorded becomes a gap, of which verify warns', async () => {
    const bench = await attached('claude')
    const [call = {}] = bench.payloads.filter(({ tool_name: name }) => name === 'Read')
    await rename(bench.home, `${bench.home}.gone`)
    await writeFile(bench.home, 'no folder')
    expect((await bench.tell(call)).code).toBe(0)
    await rm(bench.home)
    await rename(`${bench.home}.gone`, bench.home)
    await play(bench)
    const late = {
      ...call,
      hook_event_name: 'PostToolUse',
      tool_use_id: 'never-announced',
      tool_response: 'x',
    }
    expect((await bench.tell(late)).code).toBe(0)
    const { gaps } = await closed(bench)
    expect(gaps).toBe(2)
    const report = await witan(bench, 'verify', 'last', '--json')
    expect(report.json).toMatchObject({
      status: 'pass-with-warnings',
      failures: [
        { code: 'RECORD_GAP', message: expect.stringContaining('let pass though it could not be recorded') },
        { code: 'RECORD_GAP', message: expect.stringContaining('only after it had run') },
      ],
    })
  })

  it('AGT-X-7 attaches for all users of a machine: each has a home of their own, and can read what counts', async () => {
    const folder = await directory()
    const [admin, etc] = [join(folder, 'admin'), join(folder, 'etc')]
    const file = join(etc, 'managed-settings.json')
    // Whatever the administrator's own files are made with.
    const via = ['sh', '-c', 'umask 077; exec "$0" "$@"']
    const made = await witan(
      { home: admin, via },
      'attach',
      'claude',
      '--managed',
      '--gate',
      '--settings',
      file,
    )
    expect([made.code, made.stderr]).toEqual([0, expect.any(String)])
    const modes = await Promise.all(
      ['.', ...(await readdir(etc))].map(async (name) => (await stat(join(etc, name))).mode & 0o777),
    )
    expect(modes).toEqual([0o755, 0o644, 0o644])
    const { hooks } = JSON.parse(await readFile(file, 'utf8'))
    const { command } = hooks.PreToolUse[0].hooks[0]
    // As another user would run it, who cannot look into the administrator's home.
    await rm(admin, { recursive: true })
    const user = { cwd: folder, env: { HOME: join(folder, 'user'), TMPDIR: folder } }
    await mkdir(user.env.HOME)
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd: folder, tool_use_id: 'one' }
    const read = { ...payload, tool_name: 'Read', tool_input: { file_path: join(folder, 'a.txt') } }
    expect(await shell(command, user, JSON.stringify(read))).toMatchObject({ code: 0, stderr: '' })
    const home = join(user.env.HOME, '.witan')
    const closing = await witan({ home }, 'agents', 'close', 'last', '--json')
    expect(closing.json.closed).toMatchObject([{ calls: 1 }])
    await rm(etc, { recursive: true })
    expect((await shell(command, user, JSON.stringify({ ...read, session_id: 't' }))).code).toBe(2)
  })

  it('AGT-X-7 knows nothing of an attachment whose settings could not be written, and still all of the one before', async () => {
    const folder = await directory()
    const [home, file] = [join(folder, 'home'), join(folder, 'settings.json')]
    await writeFile(`${file}.elsewhere`, '{}')
    await symlink(`${file}.elsewhere`, file)
    const attach = (...more: readonly string[]) =>
      witan({ home }, 'attach', 'claude', '--settings', file, ...more)
    const refused = await attach()
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('is a link to another file')])
    const status = async () => (await witan({ home }, 'attach', 'status')).stdout
    expect(await status()).toBe('no host is attached\n')
    await rename(`${file}.elsewhere`, file)
    expect((await attach('--order', 'Tidy up.\nNothing else.')).stdout).toContain('as it was:')
    const again = await attach('--order', 'Tidy up.\nNothing else.')
    expect([again.code, again.stdout]).toEqual([0, expect.not.stringContaining('(new)')])
    await rename(file, `${file}.elsewhere`)
    await symlink(`${file}.elsewhere`, file)
    expect((await attach('--order', 'Another one')).code).toBe(2)
    expect(await status()).toContain('order: Tidy up. Nothing else.')
  })

  it('AGT-X-7 keeps sessions that go on at once apart, and names the sub-agent that made a call', async () => {
    const bench = await attached('claude')
    const call = (session: string, id: string) =>
      bench.tell({
        ...announcing(bench, 'Bash'),
        ...{ session_id: session, tool_use_id: id, agent_id: `sub-of-${session}` },
      })
    const answers = await Promise.all(
      ['one', 'two', 'three'].flatMap((session) => [
        call(session, `${session}-a`),
        call(session, `${session}-b`),
      ]),
    )
    expect(answers.map(({ code }) => code)).toEqual(answers.map(() => 0))
    const { json } = await witan(bench, 'agents', 'close', '--idle', '0m', '--json')
    const sessions = json.closed as readonly { trace: string; calls: number }[]
    expect(sessions.map(({ calls }) => calls)).toEqual([2, 2, 2])
    for (const { trace } of sessions) {
      const { events } = (await witan(bench, 'show', trace, '--json')).json as {
        events: readonly { payload: { agent_id?: string } }[]
      }
      const agents = new Set(events.flatMap(({ payload }) => payload.agent_id ?? []))
      expect(agents.size).toBe(1)
    }
  })

  it('AGT-X-7 keeps secrets out of the record, and says that it did', async () => {
    const bench = await attached('claude')
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const call = {
      ...announcing(bench, 'Bash'),
      tool_input: { command: `curl -H "Authorization: Bearer ${secret}" x.example` },
    }
    await bench.tell(call)
    expect(await told(bench)).toContain('Bearer [secret removed: ')
    const { stdout: found } = await shell(`grep -rl ${secret} '${bench.home}' || true`, bench)
    expect(found).toBe('')
  })

  it('AGT-X-7 records what is no text under names that are, and closes a session whose transcript holds such', async () => {
    const bench = await attached('claude')
    const half = '\ud83d'
    const call = { ...announcing(bench, 'Bash'), tool_use_id: `one${half}`, agent_id: `sub${half}` }
    const named = { ...call, tool_name: `mcp__x__${half}` }
    expect(await bench.tell(named)).toMatchObject({ code: 0, stderr: '' })
    const failed = {
      ...named,
      hook_event_name: 'PostToolUseFailure',
      error: `${'x'.repeat(1_999)}😀 and more`,
    }
    expect(await bench.tell(failed)).toMatchObject({ code: 0, stderr: '' })
    // Of an input that is no text nothing can be signed: it becomes a gap.
    const unsigned = { ...call, tool_use_id: 'two', tool_input: { command: half } }
    expect((await bench.tell(unsigned)).code).toBe(0)
    const use = { type: 'tool_use', id: 'three', name: `y${half}`, input: { command: half } }
    await writeFile(bench.transcript, `${JSON.stringify({ message: { content: [use] } })}\n`)
    expect(await closed(bench)).toMatchObject({ status: 'completed', calls: 1, gaps: 2 })
    expect((await witan(bench, 'verify', 'last', '--json')).json.status).toBe('pass-with-warnings')
  })

  it('AGT-X-7 goes on in a new trace that names the old one, and finds hooks that were taken out', async () => {
    const bench = await attached('claude')
    await bench.tell(announcing(bench, 'Bash'))
    await writeFile(
      bench.transcript,
      `${claudeCall('toolu_1')}${claudeCall('toolu_2')}${claudeRefusal('toolu_2')}`,
    )
    const { trace: first, gaps } = await closed(bench)
    expect(gaps).toBe(0)
    await bench.tell({ ...announcing(bench, 'Read'), tool_use_id: 'later' })
    expect(await told(bench)).toContain(`continues ${String(first)}`)
    await witan(bench, 'detach', 'claude')
    expect((await closed(bench)).gaps).toBe(1)
    expect(await told(bench)).toContain('the hooks of the host were changed or removed')
  })
})
