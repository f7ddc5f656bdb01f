import { execFileSync } from 'node:child_process'
import { readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { artifactsOf, keepAsFile } from '../support/artifact-rows.ts'
import { BINARY, ended, newHome, start, witan } from './command.ts'
import { runErrand } from './errand-home.ts'

describe('an interruption', () => {
  it('APP-2 ends with 130 and says that nothing was lost', async () => {
    const where = await newHome()
    // A bundle with an artifact that takes many seconds to digest.
    await witan(where, 'export', 'registry', '-o', 'long.witan')
    const path = join(where.cwd, 'long.witan')
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n').slice(0, -1)
    await writeFile(path, `${lines.join('\n')}\n{"artifact":"${'0'.repeat(64)}","size":${2 ** 35}}\n`)
    await truncate(path, 2 ** 35 + 10_000)
    for (const json of [false, true]) {
      const child = start(['verify', path, ...(json ? ['--json'] : [])], where)
      const result = ended(child)
      await pause(1000)
      child.kill('SIGINT')
      const { code, stdout, stderr } = await result
      expect(code).toBe(130)
      if (json) expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'INTERRUPTED' } })
      else expect(stderr).toMatch(/^error INTERRUPTED: .*\nnext: Nothing was lost/)
    }
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('APP-2 takes a half-written file back: %s', async (signal) => {
    const where = await newHome()
    const trace = await runErrand(where.home)
    const [artifact = ''] = await artifactsOf(where.home)
    await truncate(await keepAsFile(where.home, artifact), 2 ** 35)
    const child = start(['export', trace, '-o', 'out.witan'], where)
    const result = ended(child)
    const unfinished = async (): Promise<string[]> =>
      (await readdir(where.cwd)).filter((name) => name.includes('out'))
    for (let i = 0; i < 400 && (await unfinished()).length === 0; i++) await pause(10)
    expect(await unfinished()).toMatchObject([expect.stringMatching(/^\.out\.witan\..*\.tmp$/)])
    child.kill(signal)
    await result
    expect([child.exitCode, child.signalCode]).toEqual(signal === 'SIGINT' ? [130, null] : [null, signal])
    expect(await unfinished()).toEqual([])
  })

  it('APP-2 by a reader who has seen enough is none', async () => {
    const where = await newHome()
    const command = `'${process.execPath}' '${BINARY}' completion fish | head -n 1; exit \${PIPESTATUS[0]}`
    const child = execFileSync('bash', ['-c', command], { env: { ...process.env, WITAN_HOME: where.home } })
    expect(child.toString()).toBe('# fish completion for witan\n')
  })

  it('APP-2 by a fault of our own prints a stack only when asked for', async () => {
    const where = await newHome()
    const env = { NODE_OPTIONS: `--import=data:text/javascript,globalThis.Date=null` }
    const quiet = await witan({ ...where, env }, 'list')
    expect(quiet.code).toBe(1)
    expect(quiet.stderr).toMatch(/^error INTERNAL: .+\nnext: This is a fault in Witan\..+\n$/)
    const loud = await witan({ ...where, env: { ...env, WITAN_DEBUG: '1' } }, 'list')
    expect(loud.stderr).toMatch(/\n {4}at /)
  })
})
