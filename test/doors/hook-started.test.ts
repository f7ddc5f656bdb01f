// A hook as a process: what it asks before it answers itself, and what it keeps for the next one.

import { chown, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { announcing, attached, type Bench, closed, gateOf, residentOf, shell } from './attached-host.ts'
import { directory, witan } from './command.ts'

/** The programs of this machine without curl. */
async function pathWithoutCurl(): Promise<string> {
  const folder = await directory()
  for (const place of (process.env.PATH ?? '').split(delimiter))
    for (const name of await readdir(place).catch(() => []))
      if (name !== 'curl') await symlink(join(place, name), join(folder, name)).catch(() => undefined)
  return folder
}

const call = (bench: Bench, id: string, command: string): string =>
  JSON.stringify({ ...announcing(bench, 'Bash'), tool_use_id: id, tool_input: { command } })

/** The user's home is the folder that the settings are in. */
const cacheIn = async ({ home }: Bench): Promise<string> => {
  const folder = join(dirname(home), '.cache/witan')
  const names = await readdir(folder)
  return join(folder, names.find((name) => name.startsWith('hook-')) ?? 'none')
}

describe('a hook that is started for a call', () => {
  it('AGT-X-7 asks the resident process where there is no curl, and passes its word on', async () => {
    const bench = await attached('claude', '--gate', '--wait', '0')
    await writeFile(bench.transcript, '')
    await witan(
      { ...bench, env: { ...bench.env, PATH: await pathWithoutCurl() } },
      ...['attach', 'claude', '--gate', '--wait', '0'],
    )
    const { command } = await gateOf(bench)
    expect(command).not.toContain('curl')
    expect((await shell(command, bench, call(bench, 'one', 'ls'))).code).toBe(0)
    await residentOf(bench)
    // It could not answer by itself: there is nothing to be loaded.
    const copy = join(bench.cwd, 'hook.cjs')
    await writeFile(copy, await readFile(new URL('../../bin/hook.cjs', import.meta.url)))
    const light = command.replace(/'[^']*bin\/hook\.cjs'/, `'${copy}'`)
    expect(await shell(light, bench, call(bench, 'two', 'ls -l'))).toMatchObject({ code: 0, stderr: '' })
    const denied = await shell(light, bench, call(bench, 'three', 'rm -rf build'))
    expect([denied.code, denied.stderr]).toEqual([2, expect.stringMatching(/^Witan: p1-i3 needs a person/)])
    const { proven } = await closed(bench)
    expect(proven).toMatchObject([{ text: expect.stringContaining('announced 3 tool calls') }])
  })

  it.each([
    ['breaks off', ''],
    ['says something else', 'HTTP/1.1 200 OK\r\n\r\nyes'],
    ['is no HTTP', '204 yes'],
  ])('AGT-X-7 is denied when what listens in the place of the resident process %s', async (_, words) => {
    const bench = await attached('codex', '--gate', '--wait', '0')
    const { command } = await gateOf(bench)
    const server = createServer((wire) => wire.once('data', () => wire.end(words)))
    await new Promise<void>((resolve) => server.listen(join(bench.home, 'attachments/hook.sock'), resolve))
    // Past curl: by the hook alone.
    const { code, stderr } = await shell(command.replaceAll('[ -S ', '[ -S /nowhere'), bench, '{}')
    server.close()
    expect([code, stderr]).toEqual([2, expect.stringContaining('so the call is denied')])
  })

  it.skipIf(process.getuid?.() !== 0).each([
    ['curl', (command: string) => command.replace(/('[^']*timeout'.*? )'[^']*hook\.cjs'/, "$1'/nowhere'")],
    ['the hook', (command: string) => command.replaceAll('[ -S ', '[ -S /nowhere')],
  ])('AGT-X-7 is not asked of a socket that belongs to another user, by %s', async (by, only) => {
    const bench = await attached('claude', '--gate', '--wait', '0')
    await writeFile(bench.transcript, '')
    const { command } = await gateOf(bench)
    const socket = join(bench.home, 'attachments/hook.sock')
    let asked = 0
    const server = createServer((wire) =>
      wire.once('data', () => {
        asked++
        wire.end('HTTP/1.1 204 No Content\r\n\r\n')
      }),
    )
    await new Promise<void>((resolve) => server.listen(socket, resolve))
    const told = () => shell(only(command), bench, call(bench, 'one', 'rm -rf build'))
    expect([(await told()).code, asked]).toEqual([0, 1])
    await chown(socket, 65_534, 65_534)
    const { code, stderr } = await told()
    server.close()
    expect([code, asked]).toEqual([2, 1])
    expect(stderr).toMatch(by === 'curl' ? /so the call is denied/ : /^Witan: p1-i1 needs a person/)
  })

  it('AGT-X-7 is not swayed by what a person has set for curl', async () => {
    const bench = await attached('claude', '--gate', '--wait', '0')
    await writeFile(join(dirname(bench.home), '.curlrc'), 'include\nwrite-out = "204"\n')
    const { command } = await gateOf(bench)
    expect((await shell(command, bench, call(bench, 'one', 'ls'))).code).toBe(0)
    await residentOf(bench)
    const resident = command.replaceAll('bin/hook.cjs', 'bin/nothing.js')
    expect(await shell(resident, bench, call(bench, 'two', 'ls -l'))).toMatchObject({ code: 0, stderr: '' })
    expect((await shell(resident, bench, call(bench, 'three', 'rm -rf build'))).code).toBe(2)
  })

  it('AGT-X-7 keeps what V8 made of it, and does without where that is damaged', async () => {
    const bench = await attached('claude', '--gate', '--no-resident')
    const { command } = await gateOf(bench)
    const told = async (id: string) => (await shell(command, bench, call(bench, id, 'ls'))).code
    expect(await told('one')).toBe(0)
    const cache = await cacheIn(bench)
    const whole = await readFile(cache)
    const damaged = Buffer.from(whole)
    for (let at = 64; at < damaged.length; at += 997) damaged[at] = (damaged[at] ?? 0) ^ 0xff
    for (const bytes of [damaged, whole.subarray(0, 1_000), Buffer.from('')]) {
      await writeFile(cache, bytes)
      expect(await told(`damaged-${bytes.length}`)).toBe(0)
      // Made again, for the next one.
      expect((await readFile(cache)).length).toBeGreaterThan(100_000)
    }
    await rm(cache)
    expect(await told('last')).toBe(0)
    expect((await closed(bench)).calls).toBe(5)
  })
})
