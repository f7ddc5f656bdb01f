// Hosts that an administrator attaches for all users. A folder stands for the one of the administrator, named with --settings: it is
// no more than what its owner can write in any case.

import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { shell } from './attached-host.ts'
import { directory, type Ran, witan } from './command.ts'

const HOSTS = [
  ['claude', 'PreToolUse', 'Bash', 'rm -rf build'],
  ['codex', 'PreToolUse', 'Bash', 'rm -rf build'],
  ['gemini', 'BeforeTool', 'run_shell_command', 'rm -rf build'],
] as const

/** Bytes that we would not write ourselves. */
const settingsBefore = (event: string): string =>
  `{"note":   "of the administrator",\n\t"hooks": {"${event}": [{"matcher": "x", "hooks": [{"type": "command", "command": "audit"}]}]}}`

interface Place {
  readonly etc: string
  readonly file: string
  /** As the administrator. */
  readonly admin: (...words: readonly string[]) => Promise<Ran>
  /** As someone who may not write there. */
  readonly user: (...words: readonly string[]) => Promise<Ran>
}

/** Root may write anywhere: someone else is asked instead. */
const NO_RIGHTS =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

async function place(event: string): Promise<Place> {
  const folder = await directory()
  const [etc, own] = [join(folder, 'etc'), join(folder, 'user')]
  await mkdir(etc)
  await mkdir(own)
  for (const [path, mode] of [
    [folder, 0o755],
    [own, 0o777],
  ] as const)
    await chmod(path, mode)
  const file = join(etc, 'settings.json')
  await writeFile(file, settingsBefore(event))
  await chmod(file, 0o644)
  const user = { home: join(own, 'home'), cwd: own, env: { HOME: own, TMPDIR: own }, via: NO_RIGHTS }
  return {
    etc,
    file,
    admin: (...words) => witan({ home: join(folder, 'admin'), cwd: folder, env: { HOME: folder } }, ...words),
    user: (...words) => witan(user, ...words),
  }
}

describe.each(HOSTS)('%s, attached for all users', (host, event, tool, bash) => {
  const attach = ['attach', host, '--managed', '--gate', '--wait', '0']

  it('AGT-X-7 has our hooks beside those of the administrator, and its settings back to the byte when detached', async () => {
    const { etc, file, admin } = await place(event)
    const before = await readFile(file, 'utf8')
    for (const words of [attach, [...attach, '--policy', 'strict']]) {
      const { code, stdout, stderr } = await admin(...words, '--settings', file)
      expect([code, stdout]).toEqual([0, expect.stringContaining(`as it was: ${file}.before-witan`)])
      expect(stderr).not.toContain('/hooks')
      const { note, hooks } = JSON.parse(await readFile(file, 'utf8'))
      expect([note, hooks[event].length, hooks[event][0].hooks[0].command]).toEqual([
        'of the administrator',
        2,
        'audit',
      ])
    }
    expect(await readFile(`${file}.before-witan`, 'utf8')).toBe(before)
    const [terms = ''] = (await readdir(etc)).filter((name) => name.startsWith(`witan-${host}-`))
    expect(JSON.parse(await readFile(join(etc, terms), 'utf8'))).toMatchObject({ policy: { name: 'strict' } })
    const modes = await Promise.all(
      [file, join(etc, terms)].map(async (path) => (await stat(path)).mode & 0o777),
    )
    expect(modes).toEqual([0o644, 0o644])

    const { attached } = (await admin('attach', 'status', '--json')).json
    expect(attached).toMatchObject([{ host, scope: 'managed', file, mode: 'gate', hooks: 'in place' }])
    expect((await admin('detach', host)).stdout).toBe(`took the hooks out of ${file}\n`)
    expect(await readFile(file, 'utf8')).toBe(before)
    expect(await readdir(etc)).toEqual(['settings.json'])
    const twice = await admin('detach', host)
    expect([twice.code, twice.stderr]).toEqual([
      2,
      expect.stringContaining(`${host} is not attached to this home`),
    ])
  })

  it('AGT-X-7 is neither attached nor detached by a user, whose calls count in a home of their own', async () => {
    const { etc, file, admin, user } = await place(event)
    const before = await readFile(file, 'utf8')
    await chmod(etc, 0o555)
    const refused = await user(...attach, '--settings', file)
    await chmod(etc, 0o755)
    expect([refused.code, refused.stderr]).toEqual([
      7,
      expect.stringMatching(
        new RegExp(
          `^error FILE_UNWRITABLE: ${file}: you may not change it\\nnext: .*sudo witan attach ${host} --managed`,
        ),
      ),
    ])
    expect([await readFile(file, 'utf8'), await readdir(etc)]).toEqual([before, ['settings.json']])
    expect((await user('attach', 'status')).stdout).toBe('no host is attached\n')

    expect((await admin(...attach, '--settings', file)).code).toBe(0)
    const attached = await readFile(file, 'utf8')
    const { command } = JSON.parse(attached).hooks[event][1].hooks[0]
    const cwd = await directory()
    const env = { HOME: cwd, TMPDIR: cwd }
    const call = (command: string) => {
      const about = { hook_event_name: event, session_id: 's', cwd, tool_use_id: command }
      return JSON.stringify({ ...about, tool_name: tool, tool_input: { command } })
    }
    expect(await shell(command, { cwd, env }, call('ls'))).toMatchObject({ code: 0, stderr: '' })
    const denied = await shell(command, { cwd, env }, call(bash))
    expect([denied.code, denied.stderr]).toEqual([2, expect.stringMatching(/^Witan: p1-i2 needs a person/)])

    // What they were attached to is noted in the home of the user too, who may still not detach it.
    const home = join(cwd, '.witan')
    await shell('chmod -R a+rwX .', { cwd, env })
    await chmod(etc, 0o555)
    const kept = await witan({ home, cwd, env, via: NO_RIGHTS }, 'detach', host)
    await chmod(etc, 0o755)
    expect([kept.code, kept.stderr]).toEqual([7, expect.stringContaining(`sudo witan detach ${host}`)])
    expect(await readFile(file, 'utf8')).toBe(attached)
  })
})
