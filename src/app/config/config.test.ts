import { appendFile, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { newHome, type Where, witan } from '../../../test/doors/command.ts'
import { freshDatabase } from '../../../test/support/postgres.ts'
import { isTrusted } from '../home/permissions.ts'
import { findConfig, readConfig } from './config.ts'

let where: Where & { readonly cwd: string }

beforeAll(async () => {
  where = await newHome()
})

async function refusal(text: string): Promise<string> {
  await writeFile(join(where.cwd, 'witan.yaml'), text)
  const { code, stderr } = await witan(where, 'list', '--config', 'witan.yaml')
  expect(code).toBe(2)
  return stderr
}

describe('a configuration', () => {
  const faults: readonly (readonly [what: string, text: string, place: string, words: string])[] = [
    [
      'an unknown key',
      'council: {}\ncouncl: {}\n',
      '2:1',
      "unknown key 'councl'\n  | councl: {}\n  | ^\nnext: Did you mean 'council'? Allowed here: council, panels, mcp_servers, agents, exchange, notify, vault, ca, timestamps, witnesses, otel.",
    ],
    ['a wrong type', 'council:\n  - a\n', '2:3', 'council must be a mapping'],
    ['a list for everything', '- a\n', '1:1', 'the file must be a mapping'],
    ['a key twice', 'council: {}\nagents: {}\ncouncil: {}\n', '3:1', 'a second time'],
    ['a tab', 'council:\n\tproviders: []\n', '2:1', 'tab'],
    ['an open bracket', 'council: {a: [1, 2\n', '1:19', ''],
    ['no URL where one belongs', 'vault:\n  postgres: somewhere\n', '2:13', 'not a PostgreSQL URL'],
    [
      'a shared folder that is not from the root',
      'vault: {artifacts: {folder: shared}}\n',
      '1:29',
      'vault.artifacts.folder',
    ],
    [
      'an unknown vault',
      'vault:\n  mysql: x\n',
      '2:3',
      "unknown key 'mysql'\nnext: Allowed here: postgres, artifacts.",
    ],
    [
      'an unknown key of an exchange',
      'exchange:\n  act_via_host: true\n',
      '2:3',
      "unknown key 'act_via_host'\n  |   act_via_host: true\n  |   ^\nnext: Did you mean 'acts_via_host'? Allowed here: acts_via_host.",
    ],
    ['a word for a choice', 'exchange: {acts_via_host: maybe}\n', '1:27', 'exchange.acts_via_host'],
    ['two documents', 'council: {}\n---\nagents: {}\n', '2:1', 'multiple documents'],
  ]

  it('APP-6 repeats no line that may hold a secret', async () => {
    const secret = 'hunter2'
    for (const text of [
      `vault:\n  postgres: mysql://me:${secret}@host/db\n`,
      `mcp_servers:\n  a: {command: [x], env: {PASSWORD: ${secret}}, nope: 1}\n`,
      `council:\n  providers: [{name: claude, api_key: ${secret}}]\n`,
    ])
      expect(await refusal(text)).not.toContain(secret)
  })

  it.each(faults)(
    'APP-6 is refused with file, line, column and what is allowed: %s',
    async (_, text, place, words) => {
      const stderr = await refusal(text)
      expect(stderr).toContain(`error CONFIG_INVALID: witan.yaml:${place}: `)
      expect(stderr).toContain(words)
    },
  )

  it('APP-6 is checked at once, for any number of keys', async () => {
    const stderr = await refusal(Array.from({ length: 40_000 }, (_, i) => `k${i}: 1\n`).join(''))
    expect(stderr).toContain('witan.yaml: 40000 things are wrong')
  })

  it('APP-6 is found from a directory below, and read if it is valid', async () => {
    await writeFile(join(where.cwd, 'witan.yaml'), 'council: {quorum: {r1_min: 2}}\nagents: {}\n')
    expect(await findConfig(where.home)).toBe(join(where.cwd, 'witan.yaml'))
    const { sections, postgres } = await readConfig(join(where.cwd, 'witan.yaml'), where.home)
    expect([sections, postgres]).toEqual([{ council: { quorum: { r1_min: 2 } }, agents: {} }, null])
    expect((await witan(where, 'list', '--config', 'witan.yaml')).code).toBe(0)
    const missing = await witan(where, 'list', '--config', 'none.yaml')
    expect([missing.code, missing.stderr]).toEqual([7, expect.stringContaining('FILE_NOT_FOUND')])
  })

  it('APP-6 of the home is checked too, and never repeats a password', async () => {
    const own = await newHome()
    expect(await readFile(join(own.home, 'config.yaml'), 'utf8')).toMatch(/^#/)
    await appendFile(join(own.home, 'config.yaml'), 'vault: {postgres: "http://me:secret@x/y"}\n')
    const { code, stderr } = await witan(own, 'list')
    expect([code, stderr]).toEqual([2, expect.stringContaining('config.yaml:7:19: vault.postgres is not')])
    expect(stderr).not.toContain('secret')
    await witan(own, 'init')
    expect(await readFile(join(own.home, 'config.yaml'), 'utf8')).toContain('secret')
  })
})

describe('a file that names a server or a command', () => {
  const texts = [
    ['vault', 'vault: {postgres: "postgres://evil.example/x"}\n'],
    ['mcp_servers', 'mcp_servers: {docs: {command: [rm]}}\n'],
    [
      'council.providers[0].base_url',
      'council:\n  providers: [{name: a, base_url: "http://evil.example"}]\n',
    ],
  ] as const

  it.each(texts)('APP-6 counts only after it was trusted with these bytes: %s', async (key, text) => {
    const stderr = await refusal(text)
    expect(stderr).toContain('error FILE_UNTRUSTED')
    expect(stderr).toContain(`'${key}'`)
    expect(stderr).toContain('witan trust witan.yaml')
  })

  it('APP-6 is trusted by its bytes and its real path, until either changes', async () => {
    const file = join(where.cwd, 'servers.yaml')
    const link = join(where.cwd, 'link.yaml')
    await writeFile(file, 'mcp_servers: {}\n')
    await symlink(file, link)
    expect((await witan(where, 'list', '--config', 'servers.yaml')).code).toBe(2)
    const trusted = await witan(where, 'trust', 'link.yaml', '--json')
    expect(trusted.json).toEqual({ file, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect((await witan(where, 'list', '--config', 'link.yaml')).code).toBe(0)
    await appendFile(file, '# more\n')
    expect(await isTrusted(where.home, file)).toBe(false)
    expect((await witan(where, 'list', '--config', 'servers.yaml')).code).toBe(2)
    expect((await witan(where, 'trust', '--list')).stdout).toBe(`changed  ${file}\n`)
    await witan(where, 'trust', 'servers.yaml')
    expect(await isTrusted(where.home, link)).toBe(true)
    expect((await witan(where, 'trust', '--remove', 'servers.yaml', '--json')).json).toMatchObject({
      removed: true,
    })
    expect(await isTrusted(where.home, file)).toBe(false)
    await witan(where, 'trust', 'servers.yaml')
    await rm(file)
    expect((await witan(where, 'trust', '--list')).stdout).toBe(`missing  ${file}\n`)
    expect((await witan(where, 'trust', '--remove', file)).code).toBe(0)
    expect((await witan(where, 'trust', '--list', '--json')).json).toEqual({ home: where.home, files: [] })
  })
})

describe.skipIf(inject('postgresUrl') === null)('a home whose ledger is in PostgreSQL', () => {
  it('APP-6 keeps its keys and reads its ledger there, by its settings or by the environment', async () => {
    const database = await freshDatabase(inject('postgresUrl') ?? '')
    const own = await newHome()
    try {
      await rm(own.home, { recursive: true })
      const nothing = await witan({ ...own, env: { WITAN_POSTGRES_URL: database.url } }, 'list')
      expect([nothing.code, nothing.stderr]).toEqual([7, expect.stringContaining('HOME_MISSING')])
      const made = await witan({ ...own, env: { WITAN_POSTGRES_URL: database.url } }, 'init', '--json')
      expect(made.json).toMatchObject({ created: true, vault: 'postgres' })
      await writeFile(join(own.home, 'config.yaml'), `vault:\n  postgres: ${database.url}\n`)
      expect((await witan(own, 'keys', 'add', 'ana', '--role', 'critic')).code).toBe(0)
      expect((await witan(own, 'verify', 'registry', '--json')).json).toMatchObject({
        status: 'pass',
        size: 3,
      })
      expect((await witan(own, 'init', '--json')).json).toMatchObject({ created: false, key: made.json.key })
    } finally {
      await database.drop()
    }
    const gone = await witan(own, 'list')
    expect([gone.code, gone.stderr]).toEqual([7, expect.stringContaining('VAULT_UNREACHABLE')])
  })
})
