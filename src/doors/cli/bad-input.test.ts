import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, open, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { BINARY, directory, ended, newHome, type Where, witan } from '../../../test/doors/command.ts'
import { sayOnce } from '../../../test/doors/errand-home.ts'
import { failureOf } from '../../app/failure.ts'
import { loadSqlite } from '../../stores/sqlite/driver.ts'
import { exitOf } from './command.ts'

let where: Where & { readonly cwd: string }

beforeAll(async () => {
  where = await newHome()
  await witan(where, 'export', 'registry', '-o', 'sound.witan')
})

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')

describe('a file that is no bundle', () => {
  const cases: Readonly<Record<string, readonly [code: string, make: (path: string) => Promise<unknown>]>> = {
    'a picture': ['BUNDLE_FOREIGN', (path) => writeFile(path, PNG)],
    'a picture in one line': [
      'BUNDLE_FOREIGN',
      (path) => writeFile(path, Buffer.from('ffd8ffe000104a464946', 'hex')),
    ],
    'a text in one line': ['BUNDLE_FOREIGN', (path) => writeFile(path, '{"name":"shed"}')],
    'an empty file': ['BUNDLE_TRUNCATED', (path) => writeFile(path, '')],
    'a directory': ['FILE_UNREADABLE', (path) => mkdir(path)],
    'a page.html': ['BUNDLE_FOREIGN', (path) => writeFile(path, '<!doctype html>\n')],
    'a text': ['BUNDLE_FOREIGN', (path) => writeFile(path, 'hello\nworld\n')],
    'a gigabyte of zeros': [
      'BUNDLE_FOREIGN',
      async (path) => {
        await writeFile(path, '')
        await truncate(path, 2 ** 30)
      },
    ],
    'a bundle cut in its first line': [
      'BUNDLE_TRUNCATED',
      async (path) => writeFile(path, (await readFile(join(where.cwd, 'sound.witan'))).subarray(0, 7)),
    ],
    'a bundle cut in its middle': [
      'BUNDLE_TRUNCATED',
      async (path) => {
        const sound = await readFile(join(where.cwd, 'sound.witan'))
        await writeFile(path, sound.subarray(0, sound.length / 2))
      },
    ],
    'a bundle without its last byte': [
      'BUNDLE_TRUNCATED',
      async (path) => writeFile(path, (await readFile(join(where.cwd, 'sound.witan'))).subarray(0, -1)),
    ],
    'a bundle with something after it': [
      'BUNDLE_INVALID',
      async (path) =>
        writeFile(path, Buffer.concat([await readFile(join(where.cwd, 'sound.witan')), Buffer.from('x\n')])),
    ],
    'nothing at all': ['FILE_NOT_FOUND', async () => {}],
  }

  it.each(Object.entries(cases))(
    'LED-16 is refused with a code and a next step: %s',
    async (name, [code, make]) => {
      const file = name.endsWith('.html') ? name : `${name.replaceAll(' ', '-')}.witan`
      await make(join(where.cwd, file))
      const text = await witan(where, 'verify', file)
      expect(text.code).toBe(7)
      expect(text.stdout).toBe('')
      expect(text.stderr).toMatch(new RegExp(`^error ${code}: .+\nnext: .+\n$`))
      const { json } = await witan(where, 'verify', file, '--json')
      expect(json).toEqual({ error: { code, message: expect.any(String), next: expect.any(String) } })
    },
  )
})

describe('a home that cannot be used', () => {
  it('LED-16 leaves the database of another program untouched', async () => {
    const home = await directory()
    const { DatabaseSync } = await loadSqlite()
    const db = new DatabaseSync(join(home, 'witan.db'))
    db.exec('CREATE TABLE cheese(name TEXT); PRAGMA application_id = 7')
    db.close()
    const before = await readFile(join(home, 'witan.db'))
    for (const args of [
      ['list'],
      ['init'],
      ['keys', 'add', 'ana', '--role', 'critic'],
      ['verify', 'registry'],
    ]) {
      const { code, stderr } = await witan({ home }, ...args)
      expect([args[0], code]).toEqual([args[0], 7])
      expect(stderr).toContain('VAULT_FOREIGN')
    }
    expect((await readFile(join(home, 'witan.db'))).equals(before)).toBe(true)
  })

  it('LED-16 is reported by its kind: missing, a file, filled with other things, damaged', async () => {
    const folder = await directory()
    await writeFile(join(folder, 'diary.txt'), 'x')
    const filled = await witan({ home: folder }, 'init')
    expect([filled.code, filled.stderr]).toEqual([2, expect.stringContaining('HOME_EXISTS')])
    const file = await witan({ home: join(folder, 'diary.txt') }, 'init')
    expect([file.code, file.stderr]).toEqual([2, expect.stringContaining('FILE_EXISTS')])
    for (const args of [
      ['show', 'last'],
      ['keys', 'list'],
      ['keys', 'add', 'a', '--role', 'critic'],
      ['trust', '--list'],
    ]) {
      const missing = await witan({ home: join(folder, 'none') }, ...args)
      expect([missing.code, missing.stderr]).toEqual([7, expect.stringContaining('HOME_MISSING')])
    }
    const damaged = await newHome()
    const handle = await open(join(damaged.home, 'witan.db'), 'r+')
    await handle.write(Buffer.alloc(4000, 0x5a), 0, 4000, 100)
    await handle.close()
    const { code, stderr } = await witan(damaged, 'list')
    expect([code, stderr]).toEqual([7, expect.stringContaining('VAULT_CORRUPT')])
  })

  it('LED-16 says who should look at a system error, and separates a fault of Witan itself', () => {
    const reported = (error: unknown): [string, number] => {
      const { code } = failureOf(error)
      return [code, exitOf(code)]
    }
    expect(reported(Object.assign(new Error('x'), { code: 'ENOSPC' }))).toEqual(['DISK_FULL', 7])
    expect(reported(Object.assign(new Error('x'), { code: 'EACCES' }))).toEqual(['FILE_UNREADABLE', 7])
    expect(reported(new TypeError('x is not a function'))).toEqual(['INTERNAL', 1])
  })
})

describe('a name that means no trace', () => {
  it('APP-9 ends with exit code 7 if there is none and 2 if there are several', async () => {
    for (const name of ['zzz', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'last', '!', '../x']) {
      const { code, stderr } = await witan(where, 'show', name)
      expect([name, code]).toEqual([name, 7])
      expect(stderr).toContain(name.includes('/') ? 'FILE_NOT_FOUND' : 'TRACE_NOT_FOUND')
    }
    const trace = await sayOnce(where.home, { question: 'x' })
    const several = await witan(where, 'show', '01')
    expect([several.code, several.stderr]).toEqual([2, expect.stringContaining('TRACE_AMBIGUOUS')])
    const lower = await witan(where, 'show', trace.toLowerCase().slice(0, 20), '--json')
    expect(lower.json.trace).toBe(trace)
    expect((await witan(where, 'show', 'last', '--json')).json.trace).toBe(trace)
    const beyond = await witan(where, 'show', 'last', '99')
    expect([beyond.code, beyond.stderr]).toEqual([7, expect.stringContaining('EVENT_NOT_FOUND')])
  })
})

describe('an output file', () => {
  it('APP-2 is never overwritten unless that was asked for', async () => {
    await writeFile(join(where.cwd, 'mine.txt'), 'mine')
    const refused = await witan(where, 'export', 'registry', '-o', 'mine.txt')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('FILE_EXISTS')])
    expect(await readFile(join(where.cwd, 'mine.txt'), 'utf8')).toBe('mine')
    expect((await witan(where, 'export', 'registry', '-o', 'mine.txt', '--force')).code).toBe(0)
    expect(await readFile(join(where.cwd, 'mine.txt'), 'utf8')).toContain('"witan":"bundle/1"')
    await mkdir(join(where.cwd, 'folder'))
    expect((await witan(where, 'export', 'registry', '-o', 'folder', '--force')).stderr).toContain(
      'FILE_UNWRITABLE',
    )
  })

  it('APP-11 is a page where its name says so', async () => {
    expect((await witan(where, 'export', 'registry', '-o', 'Page.HTML')).stderr).toContain('in a browser')
    expect(await readFile(join(where.cwd, 'Page.HTML'), 'utf8')).toMatch(/^<!doctype html>/i)
  })

  it('LED-16 is refused if it cannot be created', async () => {
    const none = await witan(where, 'export', 'registry', '-o', 'no/such/folder/x.witan')
    expect([none.code, none.stderr]).toEqual([7, expect.stringContaining('its directory does not exist')])
    const closed = await witan(where, 'export', 'registry', '-o', '/sys/x.witan')
    expect([closed.code, closed.stderr]).toEqual([7, expect.stringContaining('FILE_UNWRITABLE')])
    await expect(stat(join(where.cwd, '.x.witan'))).rejects.toThrow()
    // A link to it: should this fail, only the link is lost.
    await symlink('/dev/null', join(where.cwd, 'null.witan'))
    const device = await witan(where, 'export', 'registry', '-o', 'null.witan', '--force')
    expect([device.code, device.stderr]).toEqual([7, expect.stringContaining('a device or a pipe')])
  })
})

describe('an output that cannot take what is written', () => {
  const ends = (to: string) => {
    const script = `exec "$0" "$1" list ${to}`
    const env = { PATH: process.env.PATH, WITAN_HOME: where.home }
    const child = spawn('sh', ['-c', script, process.execPath, BINARY], { env })
    return ended(child)
  }

  it.skipIf(!existsSync('/dev/full'))(
    'LED-16 is reported as a full disk, and not as a fault of Witan',
    async () => {
      const { code, stderr } = await ends('> /dev/full')
      expect([code, stderr]).toEqual([7, expect.stringMatching(/error DISK_FULL: .*\nnext: /)])
      expect((await ends('--nonsense 2> /dev/full')).code).toBe(2)
    },
  )
})

describe('a command line that does not fit', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['lsit', 'Did you mean `witan list`?'],
    ['keys ad', 'Did you mean `witan keys add`?'],
    ['keys', 'See `witan keys --help`.'],
    ['xyzzy', 'See `witan --help`.'],
    ['list --jsn', 'Did you mean --json?'],
    ['list -x', 'See `witan list --help`.'],
    ['list extra', 'one word too many'],
    ['show', 'needs TRACE'],
    ['show registry -1', 'has no option -1'],
    ['show registry 1.5', 'SEQ is a whole number'],
    ['export registry', 'needs --output FILE'],
    ['export registry -o', '--output needs a value'],
    ['export registry --html page.html', 'Did you mean -o page.html?'],
    ['export registry -o -', 'is a file, not a stream'],
    ['export registry -o x --artifact-limit much', 'is a whole number'],
    ['export registry -o x --without-content', 'without its content'],
    ['list --json=yes', '--json takes no value'],
    ['prove registry -o x', 'Give SEQ, or --since'],
    ['redact registry 1', 'needs --reason TEXT'],
    ['redact registry 1 --reason=', '--reason is empty'],
    ['redact registry --artifact abc --reason x', 'not a SHA-256 hash'],
    ['keys add ana', 'needs --role ROLE'],
    ['keys add a/b --role critic', 'cannot be a name'],
    ['keys add ana --role Critic', 'cannot be a role'],
    ['keys add ana --role boss', "no protocol knows the role 'boss'"],
    ['keys add ana --role registrar', 'there is one registrar'],
    ['completion tcsh', 'It is one of: bash, zsh, fish, traces, seats, panels.'],
    ['trust', 'needs FILE or --list'],
    ['--home', 'no command was given'],
  ]

  it.each(cases)('APP-9 ends with exit code 2, and says what was meant: witan %s', async (line, words) => {
    const { code, stdout, stderr } = await witan(where, ...line.split(' '))
    expect(stderr).toContain('error USAGE: ')
    expect(stderr).toContain(words)
    expect([code, stdout]).toEqual([2, ''])
  })
})
