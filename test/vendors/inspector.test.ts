// The public inspector's command, against the real server over stdio and over HTTP. It needs a later Node than Witan
// does, which lies beside it.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, it } from 'vitest'
import { BINARY, newHome } from '../doors/command.ts'
import { cached } from './real.ts'
import { openSite } from './site.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function inspector(home: string): Promise<(...args: readonly string[]) => Promise<Told>> {
  const folder = await mkdtemp(join(tmpdir(), 'witan-inspector-'))
  open.push(() => rm(folder, { recursive: true, force: true }))
  const env = { PATH: process.env.PATH ?? '', HOME: folder, WITAN_HOME: home }
  const [node, program] = [cached('inspector', 'node'), cached('inspector', 'mcp-inspector')]
  return async (...args) => {
    const { stdout } = await promisify(execFile)(node, [program, '--cli', ...args], { env, cwd: folder })
    return JSON.parse(stdout)
  }
}

interface Told {
  readonly tools?: readonly { readonly name: string }[]
  readonly resources?: readonly { readonly uri: string }[]
  readonly structuredContent?: { readonly trace: string; readonly status: string }
}

async function isServed(
  inspect: (...args: readonly string[]) => Promise<Told>,
  ...server: readonly string[]
) {
  const { tools = [] } = await inspect(...server, '--method', 'tools/list', '--strict')
  expect(tools.map(({ name }) => name)).toContain('council_run')
  const asks = ['--tool-name', 'council_run', '--tool-arg', 'question=Shall we?']
  const { structuredContent: council } = await inspect(...server, '--method', 'tools/call', ...asks)
  expect(council?.status).toBe('reported')
  const checks = ['--tool-name', 'trace_verify', '--tool-arg', `trace=${council?.trace}`]
  const verified = await inspect(...server, '--method', 'tools/call', ...checks)
  expect(verified.structuredContent?.status).toBe('pass')
  const { resources = [] } = await inspect(...server, '--method', 'resources/list')
  expect(resources.map(({ uri }) => uri)).toContain(`witan://trace/${council?.trace}`)
}

it('APP-4 serves the inspector over stdio', async () => {
  const { home } = await newHome()
  await isServed(await inspector(home), process.execPath, BINARY, 'mcp', '-e', `WITAN_HOME=${home}`)
})

it('APP-4 serves the inspector over HTTP', async () => {
  const { home } = await newHome()
  const site = await openSite({ home })
  open.push(site.close)
  const token = `authorization: Bearer ${site.token}`
  await isServed(await inspector(home), site.url, '--transport', 'http', '--header', token)
})
