// A machine whose cable is pulled: a client in a network of its own, joined to the server by one virtual cable. It says
// no goodbye and lives on; the server stops believing in it all the same.

import { execFile, execFileSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../src/stores/postgres.ts'
import { bundleScript, isAlive, startProgram } from './support/children.ts'
import { freshDatabase, startPostgres, whyNoPostgres } from './support/postgres.ts'

/** Why no network can be made here, or null when one can. */
function whyNoNetworks(): string | null {
  const name = `witan-${randomBytes(4).toString('hex')}`
  try {
    execFileSync('ip', ['netns', 'add', name], { stdio: 'pipe' })
    execFileSync('ip', ['netns', 'del', name], { stdio: 'pipe' })
    return null
  } catch (error) {
    return `ip netns: ${error instanceof Error ? error.message.split('\n').at(-1) || error.message : error}`
  }
}

const reason = whyNoPostgres() ?? whyNoNetworks()
if (reason !== null) console.warn(`A machine that is cut off is not tried: ${reason}`)

const run = promisify(execFile)
const ip = (...args: readonly string[]) => run('ip', [...args])

describe.skipIf(reason !== null)(`a machine that is cut off${reason ? ` (skipped: ${reason})` : ''}`, () => {
  const undo: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one()
  })

  /** A network that one cable joins to this one. Addresses are of the range that is set aside for trials. */
  async function network() {
    const id = randomBytes(4).toString('hex')
    const [space, near, far] = [`witan-${id}`, `wn${id}`, `wf${id}`]
    const subnet = `198.18.${randomInt(256)}`
    await ip('netns', 'add', space)
    undo.push(() => ip('netns', 'del', space))
    await ip('link', 'add', near, 'type', 'veth', 'peer', 'name', far, 'netns', space)
    // A connection that was never ended would keep the network, and with it the cable, for a while.
    undo.push(() => ip('link', 'del', near))
    await ip('address', 'add', `${subnet}.1/30`, 'dev', near)
    await ip('link', 'set', near, 'up')
    await ip('-n', space, 'address', 'add', `${subnet}.2/30`, 'dev', far)
    await ip('-n', space, 'link', 'set', far, 'up')
    return { space, address: `${subnet}.1`, cut: () => ip('-n', space, 'link', 'set', far, 'down') }
  }

  it('LED-17 is held to be gone within twenty seconds, though it never said so', async () => {
    const { space, address, cut } = await network()
    const server = await startPostgres(`${address}/30`)
    undo.push(() => server.stop())
    const { url } = await freshDatabase(server.url)
    const store = await openPostgresStore({ url })
    undo.push(() => store.close())
    const theirs = new URL(url)
    theirs.hostname = address
    const script = await bundleScript('test/support/attender.ts')
    const client = startProgram('ip', ['netns', 'exec', space, process.execPath, script, theirs.href, 'afar'])
    undo.push(() => client.kill())
    await client.line(/^here$/)
    expect(await store.attends('afar')).toBe(true)
    await cut()
    expect(await store.attends('afar')).toBe(true)
    await expect.poll(() => store.attends('afar'), { timeout: 20_000, interval: 250 }).toBe(false)
    expect(isAlive(client.process.pid ?? 0)).toBe(true)
  })
})
