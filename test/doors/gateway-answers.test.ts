// What a host is told of a call's end, while that end cannot be recorded: another process holds the store's write lock.

import { realpath } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, describe, expect, it } from 'vitest'
import { type Database, loadSqlite } from '../../src/stores/sqlite/driver.ts'
import { databaseFile } from '../../src/stores/sqlite/open.ts'
import { BINARY, directory, type Where, witan } from './command.ts'

const { resolve } = createRequire(import.meta.url)
const SERVER = [resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio']

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

async function gated(): Promise<{ readonly at: Where; readonly client: Client; readonly pid: number }> {
  const cwd = await realpath(await directory())
  const at = { home: join(cwd, 'home'), cwd }
  const client = new Client({ name: 'host-of-a-test', version: '7.0' }, { capabilities: {} })
  const pipe = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, 'gateway', '--gate', '--believe-hints', '--', process.execPath, ...SERVER],
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, WITAN_HOME: at.home },
    stderr: 'ignore',
  })
  await client.connect(pipe)
  open.push(() => client.close())
  return { at, client, pid: pipe.pid ?? 0 }
}

/** The write lock of the store, taken while the server works on a call, and how often the store holds an event of a type. */
async function answeredWhileLocked({ at, client }: { readonly at: Where; readonly client: Client }) {
  const { DatabaseSync } = await loadSqlite()
  let held: Database | null = null
  const long = { name: 'trigger-long-running-operation', arguments: { duration: 2, steps: 2 } }
  const answer = await client.callTool(long, undefined, {
    onprogress: ({ progress }) => {
      if (progress !== 1) return
      held = new DatabaseSync(databaseFile(at.home))
      held.exec('BEGIN IMMEDIATE')
    },
  })
  const db = held as Database | null
  if (db === null) throw new Error('the server told of no progress')
  open.push(() => db.close())
  const count = (type: string): number => {
    const headers = db.prepare('SELECT CAST(header AS TEXT) AS header FROM events').all()
    return headers.filter(({ header }) => String(header).includes(`"type":"${type}"`)).length
  }
  return { answer, count, unlock: () => db.exec('ROLLBACK') }
}

async function claimOf(at: Where): Promise<{ readonly trace: string; readonly claim: string }> {
  const { json } = await witan(at, 'list', '--json')
  const [session] = (json.traces as readonly { trace: string; protocol: string }[]).filter(
    ({ protocol }) => protocol === 'agents/1',
  )
  const trace = session?.trace ?? ''
  return { trace, claim: (await witan(at, 'show', trace)).stdout.replaceAll(/\s+/g, ' ') }
}

describe('the answer of a call through the gateway', () => {
  it('AGT-X-8 LED-17 reaches the host before its end is recorded, which the start was before the call', async () => {
    const { at, client } = await gated()
    const { answer, count, unlock } = await answeredWhileLocked({ at, client })
    expect(answer.isError).not.toBe(true)
    expect([count('tool_execution_started'), count('tool_execution_completed')]).toEqual([1, 0])
    unlock()
    await client.close()
    for (;;) {
      const { claim } = await claimOf(at)
      if (!claim.includes('tool call')) continue
      expect(claim).toContain('1 tool call: 1 completed.')
      break
    }
  })

  it('AGT-X-8 LED-17 leaves an unknown outcome when the gateway is killed before it has recorded the end', async () => {
    const { at, client, pid } = await gated()
    const { answer, count, unlock } = await answeredWhileLocked({ at, client })
    expect(answer.isError).not.toBe(true)
    process.kill(pid, 'SIGKILL')
    unlock()
    await client.close()
    expect(count('tool_execution_completed')).toBe(0)
    const { trace } = await claimOf(at)
    await witan(at, 'resume', trace)
    const { claim } = await claimOf(at)
    expect(claim).toContain('1 tool call: 1 has an unknown outcome.')
    expect((await witan(at, 'verify', trace, '--json')).json.status).toBe('pass')
  })
})
