// Programs that hang, flood, breed and refuse to die leave nothing behind.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAlive } from '../../../test/support/children.ts'
import { run } from './process.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'witan-process-'))
})
afterEach(() => rm(folder, { recursive: true }))

const node = (code: string, input = '', maxOutputBytes = 1 << 20) => ({
  program: process.execPath,
  args: ['-e', code],
  env: { PATH: process.env.PATH ?? '' },
  cwd: folder,
  input,
  maxOutputBytes,
})
const never = new AbortController().signal
const written = (name: string) => readFileSync(join(folder, name), 'utf8')

async function untilWritten(name: string): Promise<void> {
  for (let tries = 0; tries < 500 && !existsSync(join(folder, name)); tries++) await pause(10)
}

/** A child that hears no SIGTERM, in the same group; its number is written down. */
const BREED = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1e3)'], { stdio: 'inherit' })
  require('node:fs').writeFileSync('child', String(child.pid))`

describe('running a program', () => {
  it('gives it its whole input and returns its output', async () => {
    const input = 'ü🏛\n'.repeat(200_000)
    const ran = await run(
      node('process.stdin.pipe(process.stdout); console.error("aside")', input, 1 << 24),
      never,
    )
    expect(ran).toMatchObject({ code: 0, signal: null, stderr: 'aside\n', tooLarge: false, unstarted: null })
    expect(ran.stdout).toBe(input)
  })

  it('accepts a program that never reads its input', async () => {
    const ran = await run(node('console.log("no")', 'x'.repeat(1 << 20)), never)
    expect(ran).toMatchObject({ code: 0, stdout: 'no\n' })
  })

  it('VOX-12 gives it no variable that was not named', async () => {
    process.env.WITAN_PLANTED = 'secret'
    const ran = await run(node('console.log(Object.keys(process.env).join())'), never)
    delete process.env.WITAN_PLANTED
    expect(ran.stdout.trim()).toBe('PATH')
  })

  it('lets no argument reach a shell', async () => {
    const args = ['; touch pwned', '$(touch pwned)', '`touch pwned`', '\n', '*']
    const command = node('console.log(JSON.stringify(process.argv.slice(1)))')
    const ran = await run({ ...command, args: [...command.args, '--', ...args] }, never)
    expect(JSON.parse(ran.stdout)).toEqual(args)
    expect(existsSync(join(folder, 'pwned'))).toBe(false)
  })

  it('says why there is no such program', async () => {
    const ran = await run({ ...node(''), program: 'witan-no-such-program' }, never)
    expect(ran.unstarted).toMatchObject({ code: 'ENOENT' })
  })

  it('VOX-3 ends one that ignores SIGTERM, with its children', async () => {
    const abort = new AbortController()
    const running = run(
      node(`process.on('SIGTERM', () => {}); ${BREED}; setInterval(() => {}, 1e3)`),
      abort.signal,
    )
    await untilWritten('child')
    abort.abort()
    expect(await running).toMatchObject({ code: null, signal: 'SIGKILL' })
    expect(isAlive(Number(written('child')))).toBe(false)
  })

  it('lets one that handles SIGTERM clean up first', async () => {
    const abort = new AbortController()
    const code = `process.on('SIGTERM', () => { require('node:fs').writeFileSync('bye', ''); process.exit(3) })
      require('node:fs').writeFileSync('up', ''); setInterval(() => {}, 1e3)`
    const running = run(node(code), abort.signal)
    await untilWritten('up')
    abort.abort()
    expect(await running).toMatchObject({ code: 3 })
    expect(existsSync(join(folder, 'bye'))).toBe(true)
  })

  it('VOX-3 ends the children of one that ends by itself, though they hold its pipes', async () => {
    const ran = await run(node(`${BREED}; console.log('done'); process.exit(0)`), never)
    expect(ran).toMatchObject({ code: 0, stdout: 'done\n' })
    expect(isAlive(Number(written('child')))).toBe(false)
  })

  it('does not wait for a stray that left the group and holds its pipes', async () => {
    const stray = BREED.replace("stdio: 'inherit'", "stdio: 'inherit', detached: true")
    const ran = await run(node(`${stray}; console.log('done'); process.exit(0)`), never)
    expect(ran).toMatchObject({ code: 0, stdout: 'done\n' })
    process.kill(Number(written('child')), 'SIGKILL')
  })

  it('stops one with too much output, and keeps only the end of its errors', async () => {
    const flood =
      'const f = () => { while (process.stdout.write("x".repeat(9999))); process.stdout.once("drain", f) }; f()'
    const ran = await run(node(flood, '', 100_000), never)
    expect(ran.tooLarge).toBe(true)
    expect(ran.stdout.length).toBeLessThan(300_000)
    const loud = await run(node('process.stderr.write("x".repeat(1e6) + "the end")'), never)
    expect(loud.stderr.endsWith('the end')).toBe(true)
    expect(loud.stderr.length).toBeLessThan(300_000)
  })

  it('ends at once if it was cancelled before its start', async () => {
    const ran = await run(node('setInterval(() => {}, 1e3)'), AbortSignal.abort())
    expect(ran.signal).toBe('SIGTERM')
  })
})
