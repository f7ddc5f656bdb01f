// Keys and planted secrets, searched for wherever a council could leave them: requests, minutes, files of the home,
// what is printed, arguments of processes and environments of the children that a council starts.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { directory } from '../doors/command.ts'
import { openStub } from '../fakes/cli/stub.ts'
import { opinion, review, target } from '../fakes/council.ts'
import { ARGUMENTS, TOOL } from '../fakes/mcp/acts.ts'
import { fakeProgram } from '../fakes/mcp/stdio.ts'
import { PLANTED, privateKey } from '../fakes/planted.ts'
import { THREE } from '../support/council-run.ts'
import { everythingIn, machines } from './table.ts'

const open = machines()

describe('secrets', () => {
  it('COU-C-2 planted in a folder reach no request and no file of the home', async () => {
    const one = await open(THREE)
    const secrets = PLANTED.map(([, value]) => value)
    const lines = secrets.map((value, i) => `export const s${i} = '${value}'`)
    await writeFile(join(one.cwd, '.env'), secrets.map((value, i) => `S${i}=${value}`).join('\n'))
    await writeFile(join(one.cwd, 'deploy.ts'), `${lines.join('\n')}\n`)
    await writeFile(join(one.cwd, 'id_ed25519'), privateKey())
    const { code } = await one.run('ask', 'Shall we?', '--context', '.', '--json')
    expect(code).toBe(0)
    const sent = one.server.heard.map(({ words }) => words).join('\n')
    expect(sent).toContain('deploy.ts')
    const kept = await everythingIn(one.home)
    expect(secrets.filter((secret) => sent.includes(secret) || kept.includes(secret))).toEqual([])
  }, 30_000)

  it('COU-C-2 of the environment appear in no minutes, output, log or child', async () => {
    const key = ['sk', '-planted-0123456789abcdefghijklmnop'].join('')
    const env = { SHOP_KEY: key, ANTHROPIC_API_KEY: `${key}-anthropic`, WITAN_DEBUG: '1' }
    const echo = { act: 'error', kind: 'auth', message: `bad key ${key}` } as const
    const one = await open({ ...THREE, c: { R1: [echo] } }, { env, provider: ', api_key_env: SHOP_KEY' })
    const ran = await one.run('ask', 'Shall we?', '--json')
    expect(ran.code).toBe(0)
    const text = await one.run('show', 'last')
    const told = ran.stdout + ran.stderr + text.stdout + (await everythingIn(one.home))
    expect(told).toContain('bad key')
    expect(told).not.toContain(key)
  }, 30_000)
})

const planted = (name: string): string => ['sk', `-planted-${name}-0123456789abcdef`].join('')

/** Starts a program, after writing down its own environment and the arguments of every process there is. */
async function spy(name: string, program: readonly string[]): Promise<{ path: string; seen: string }> {
  const folder = await directory()
  const [path, seen] = [join(folder, name), join(folder, 'seen')]
  const quoted = program.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')
  const look = `cat /proc/$$/environ /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' '\\n' >> '${seen}'`
  await writeFile(path, `#!/bin/sh\n${look}\nexec ${quoted} "$@"\n`, { mode: 0o755 })
  return { path, seen }
}

describe('the keys of a council of four ways', () => {
  it.skipIf(!existsSync('/proc/self/cmdline'))(
    'VOX-12 COU-C-2 reach those they are for, and stand in no argument, no other child, no file and no output',
    async () => {
      const keys = {
        variable: planted('variable'),
        command: planted('command'),
        claude: planted('claude'),
        unused: planted('unused'),
      }
      const said = [opinion(), review({ targets: ['A', 'B', 'C'].map((label) => target(label)) })]
      const script = said.map((one) => ({ act: 'answer', text: JSON.stringify(one), usage: null }) as const)
      const [claude, server] = [await openStub('claude', script), await fakeProgram({ script })]
      const keyFile = join(await directory(), 'key')
      await writeFile(keyFile, `${keys.command}\n`, { mode: 0o600 })
      const [key, cli, mcp] = [
        await spy('print-key', ['/bin/cat', keyFile]),
        await spy('claude', [claude.program]),
        await spy('docs', server.command),
      ]
      const env = {
        SHOP_KEY: keys.variable,
        ANTHROPIC_API_KEY: keys.claude,
        OPENAI_API_KEY: keys.unused,
        WITAN_DEBUG: '1',
      }
      const one = await open({ a: {}, b: {} }, { env })
      const at = `base_url: "${one.server.url}/v1"`
      const mapping = JSON.stringify({ server: 'docs', tool: TOOL, arguments: ARGUMENTS })
      await writeFile(
        join(one.home, 'config.yaml'),
        `council:
  providers:
    - {name: a, model: a, role: [participant, chair], ${at}, api_key_env: SHOP_KEY}
    - {name: b, model: b, ${at}, api_key_command: [${key.path}]}
    - {name: claude, transport: cli, executable: ${cli.path}}
    - {name: docs, transport: mcp, mcp: ${mapping}}
mcp_servers: {docs: {command: [${mcp.path}]}}
`,
        { mode: 0o600 },
      )
      try {
        const ran = await one.run('ask', 'Shall we?', '--json')
        expect([ran.code, ran.json.status]).toEqual([0, 'reported'])
        const rounds = ran.json.rounds as readonly { readonly opinions?: readonly unknown[] }[]
        expect(rounds[0]?.opinions).toHaveLength(4)
        const [text, doctor] = [await one.run('show', 'last'), await one.run('doctor', '--json')]
        const told = [ran, text, doctor].map(({ stdout, stderr }) => stdout + stderr).join('\n')
        const everywhere = told + (await everythingIn(one.home)) + (await everythingIn(one.cwd))
        const seen = async (file: string) => {
          const words = await readFile(file, 'utf8')
          return Object.entries(keys).flatMap(([name, value]) => (words.includes(value) ? [name] : []))
        }
        expect(Object.values(keys).filter((value) => everywhere.includes(value))).toEqual([])
        expect(everywhere).toContain('Shall we?')
        // The one who looks sees the arguments of all processes, this council's own among them.
        expect(await readFile(mcp.seen, 'utf8')).toContain('bin/witan.js\nask')
        expect(await seen(mcp.seen)).toEqual([])
        expect(await seen(key.seen)).toEqual([])
        expect(await seen(cli.seen)).toEqual(['claude'])
        expect(
          claude
            .calls()
            .flatMap(({ args }) => args)
            .join(' '),
        ).not.toContain('planted')
        expect(one.server.requests.map(({ headers }) => headers.authorization)).toEqual(
          expect.arrayContaining([`Bearer ${keys.variable}`, `Bearer ${keys.command}`]),
        )
      } finally {
        await claude.dispose()
        await server.dispose()
      }
    },
    90_000,
  )
})
