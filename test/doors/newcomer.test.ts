import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory, newHome, witan } from './command.ts'
import { runErrand } from './errand-home.ts'

describe('someone new', () => {
  it('APP-2 is told where to begin, and that nothing is there yet', async () => {
    const where = { home: join(await directory(), 'home') }
    const alone = await witan(where)
    expect(alone.code).toBe(0)
    expect(alone.stdout).toContain('witan ask')
    const list = await witan(where, 'list')
    expect(list.code).toBe(7)
    expect(list.stderr).toBe(
      `error HOME_MISSING: there is no home at ${where.home}\nnext: Run \`witan init\` to make one.\n`,
    )
    await expect(stat(where.home)).rejects.toThrow('ENOENT')
  })

  it('APP-1 makes a home, reads it, and hands on what an outsider can check with one key', async () => {
    const where = await newHome()
    expect((await stat(where.home)).mode & 0o777).toBe(0o700)
    const again = await witan(where, 'init', '--json')
    expect(again.json).toMatchObject({ created: false, home: where.home, vault: 'sqlite' })

    const added = await witan(where, 'keys', 'add', 'ana', '--role', 'critic', '--json')
    expect(added.json).toMatchObject({ agent: 'ana', roles: ['critic'], private_key_here: true })
    const list = await witan(where, 'list')
    expect(list.stdout).toMatch(/registry +3 events /)
    expect(list.stderr).toContain('witan show registry')
    const show = await witan(where, 'show', 'registry')
    expect(show.stdout).toContain('registry of tester: registrar (registrar)')
    expect(show.stdout).toContain('ana (critic) key')
    const own = await witan(where, 'verify', 'registry')
    expect(own.code).toBe(0)
    expect(own.stdout).toMatch(/^PASS {2}01/)

    const exported = await witan(
      where,
      'export',
      'registry',
      '-o',
      'r.witan',
      '--checkpoint-out',
      'r.checkpoint',
    )
    expect(exported.code).toBe(0)

    const other = { home: join(await directory(), 'none'), cwd: where.cwd }
    const unpinned = await witan(other, 'verify', 'r.witan')
    expect(unpinned.code).toBe(0)
    expect(unpinned.stdout).toMatch(/^PASS WITH WARNINGS/)
    expect(unpinned.stdout).toContain('TRUST_UNPINNED')
    const read = await witan(other, 'show', 'r.witan')
    expect(read.stdout).toContain('ana (critic) key')
    expect(read.stderr).toContain('To check it: witan verify r.witan')
    for (const key of ['home/registry.vkey', String(again.json.key), 'r.checkpoint']) {
      const pinned = await witan(other, 'verify', 'r.witan', '--trust', key, '--json')
      expect(pinned.json).toMatchObject({ status: 'pass', failures: [], size: 3 })
    }
    await expect(stat(other.home)).rejects.toThrow('ENOENT')
  })

  it('VER-9 holds a file against the key that the reader gave, even at home', async () => {
    const [where, stranger] = [await newHome(), await newHome()]
    await witan(where, 'export', 'registry', '-o', 'r.witan')
    const file = join(where.cwd, 'r.witan')
    const foreign = await witan(stranger, 'verify', file, '--json')
    expect(foreign.code).toBe(0)
    expect(foreign.json).toMatchObject({ status: 'pass-with-warnings', trusted_by: null })
    for (const reader of [where, stranger]) {
      const wrong = await witan(reader, 'verify', file, '--trust', join(stranger.home, 'registry.vkey'))
      expect(wrong.code).toBe(3)
      expect(wrong.stdout).toContain('is not the one you trust')
    }
  })

  it('VER-9 notices a registry that was swapped under a home', async () => {
    const [where, forger] = [await newHome(), await newHome()]
    await writeFile(join(where.home, 'witan.db'), await readFile(join(forger.home, 'witan.db')))
    const { code, json } = await witan(where, 'verify', 'registry', '--json')
    expect(code).toBe(3)
    expect(json.failures).toMatchObject([{ code: 'TRUST_UNPINNED', severity: 'error' }])
  })

  it('LED-13 says that truncation is not excluded until an earlier checkpoint excludes it', async () => {
    const where = await newHome()
    await witan(where, 'export', 'registry', '-o', 'early.witan', '--checkpoint-out', 'early.checkpoint')
    await witan(where, 'keys', 'add', 'ana', '--role', 'critic')
    await witan(where, 'export', 'registry', '-o', 'late.witan', '--checkpoint-out', 'late.checkpoint')
    const silent = await witan(where, 'verify', 'late.witan')
    expect(silent.stdout).toContain('truncation not excluded')
    const held = await witan(where, 'verify', 'late.witan', '--trust', 'early.checkpoint')
    expect(held.stdout).toContain('truncation excluded up to size 2')
    const cut = await witan(where, 'verify', 'early.witan', '--trust', 'late.checkpoint', '--json')
    expect(cut.code).toBe(3)
    expect(cut.json.failures).toMatchObject([{ code: 'LOG_TRUNCATED' }])
  })

  it('VER-6 names trace, head and size of what was proved, and needs nothing but the file', async () => {
    const where = await newHome()
    await witan(where, 'export', 'registry', '-o', 'r.witan', '--checkpoint-out', 'r.checkpoint')
    await witan(where, 'keys', 'add', 'ana', '--role', 'critic')
    const proof = await witan(where, 'prove', 'registry', '2', '-o', 'event.witan', '--json')
    expect(proof.json).toMatchObject({ seq: 2, size: 3, since: null })
    const growth = await witan(
      where,
      'prove',
      'registry',
      '--since',
      'r.checkpoint',
      '-o',
      'grown.witan',
      '--json',
    )
    expect(growth.json).toMatchObject({ seq: null, since: 2, size: 3 })
    const trust = ['--trust', join(where.home, 'registry.vkey')]
    for (const file of ['event.witan', 'grown.witan']) {
      const { json } = await witan({ ...where, home: '/nowhere' }, 'verify', file, ...trust, '--json')
      expect(json).toMatchObject({ status: 'pass', trace: proof.json.trace, size: 3, form: 'sparse' })
      expect(json.root).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it('VER-4 reports every failure with code, severity, event, message and what to do', async () => {
    const where = await newHome()
    const trace = await runErrand(where.home)
    const { code, json, stdout } = await witan(where, 'verify', 'last', '--json')
    // The command knows no protocol of tests: it says so rather than letting the trace pass.
    expect(code).toBe(3)
    expect(json).toMatchObject({ witan: 'report/1', trace, status: 'fail' })
    expect(json.failures).toMatchObject([
      { code: 'SCHEMA_INVALID', severity: 'error', check: 'schema', event: null, artifact: null },
    ])
    expect(json.digest).toMatch(/^[0-9a-f]{64}$/)
    expect(stdout.trim().split('\n')).toHaveLength(1)
    const human = await witan(where, 'verify', 'last')
    expect(human.stdout).toMatch(/^FAIL/)
    expect(human.stdout).toContain('does not know the protocol errand/1')
    expect(human.stdout).toContain('do: ')
  })

  it('LED-14 erases a payload and an artifact from every file of the home, and shows who and why', async () => {
    const where = await newHome()
    const trace = await runErrand(where.home)
    const { events } = (await witan(where, 'show', 'last', '--json')).json as unknown as {
      events: ShownEvent[]
    }
    const execution = events.find((event) => event.header.type === 'tool_execution_completed')
    const hash = execution?.payload.artifacts?.[0]?.hash ?? ''
    expect(await filesHolding(where.home, 'Which licence?')).not.toEqual([])
    expect(await filesHolding(where.home, 'the licence is Apache-2.0')).not.toEqual([])

    const reason = 'names a person'
    const erased = await witan(where, 'redact', 'last', '0', '--reason', reason, '--by', 'ana', '--json')
    expect(erased.json).toMatchObject({ trace, seq: 0, artifact: null, by: 'ana', reason, already: false })
    const bytes = await witan(where, 'redact', 'last', '--artifact', hash, '--reason', reason)
    expect(bytes.code).toBe(0)
    expect(await filesHolding(where.home, 'Which licence?')).toEqual([])
    expect(await filesHolding(where.home, 'the licence is Apache-2.0')).toEqual([])

    const shown = await witan(where, 'show', 'last')
    expect(shown.stdout).toContain('erased for ana: names a person')
    const single = await witan(where, 'show', 'last', String(execution?.seq))
    expect(single.stdout).toMatch(/output\.txt · text\/plain · 26 bytes · erased for \w+: names a person/)
    const again = await witan(where, 'redact', 'last', '0', '--reason', 'other', '--json')
    expect(again.json).toMatchObject({ already: true, by: 'ana', reason })
  })
})

interface ShownEvent {
  readonly seq: number
  readonly header: { readonly type: string }
  readonly payload: { readonly artifacts?: readonly { readonly hash: string }[] }
}

async function filesHolding(home: string, text: string): Promise<string[]> {
  const found: string[] = []
  for (const entry of await readdir(home, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && (await readFile(path)).includes(text)) found.push(path)
  }
  return found
}
