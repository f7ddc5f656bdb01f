// A machine whose cable is pulled: a client in a network of its own, joined to the server by one virtual cable. It says
// no goodbye and lives on; the server stops believing in it all the same.

import { afterEach, describe, expect, it } from 'vitest'
import { openPostgresStore } from '../src/stores/postgres.ts'
import { bundleScript, isAlive, startProgram } from './support/children.ts'
import { openNetworks, whyNoNetworks } from './support/networks.ts'
import { freshDatabase, startPostgres, whyNoPostgres } from './support/postgres.ts'

const reason = whyNoPostgres() ?? whyNoNetworks()
if (reason !== null) console.warn(`A machine that is cut off is not tried: ${reason}`)

describe.skipIf(reason !== null)(`a machine that is cut off${reason ? ` (skipped: ${reason})` : ''}`, () => {
  const undo: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const one of undo.splice(0).reverse()) await one()
  })

  it('LED-17 is held to be gone within twenty seconds, though it never said so', async () => {
    const { address, width, all } = await openNetworks(1, undo)
    const [network] = all
    const server = await startPostgres(`${address}/${width}`)
    undo.push(() => server.stop())
    const { url } = await freshDatabase(server.url)
    const store = await openPostgresStore({ url })
    undo.push(() => store.close())
    const theirs = new URL(url)
    theirs.hostname = address
    const script = await bundleScript('test/support/attend-store.ts')
    const [program = '', ...words] = network?.via ?? []
    const client = startProgram(program, [...words, process.execPath, script, theirs.href, 'afar'])
    undo.push(() => client.kill())
    await client.line(/^here$/)
    expect(await store.attends('afar')).toBe(true)
    await network?.cut()
    expect(await store.attends('afar')).toBe(true)
    await expect.poll(() => store.attends('afar'), { timeout: 20_000, interval: 250 }).toBe(false)
    expect(isAlive(client.process.pid ?? 0)).toBe(true)
  })
})
