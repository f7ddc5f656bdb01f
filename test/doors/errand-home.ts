// An errand in a real home: the keys of its agents in the keyring, its events in the store, its artifact beside them.

import { type Home, signingRegistrar, withHome } from '../../src/app/home/home.ts'
import { TraceLog } from '../../src/clerk/trace-log.ts'
import type { Payload } from '../../src/ledger/event.ts'
import { errand } from '../protocols/errand.ts'
import { completeErrand } from '../support/errand-run.ts'
import { AGENTS, namedKey, type TestPorts } from '../support/ports.ts'

const runKitOf = (home: Home): TestPorts => ({
  ...home.ports,
  keys: new Map(),
  key: namedKey,
  signNow() {
    throw new Error('the keys of a real home sign in their own time')
  },
})

async function registerSigners(home: Home): Promise<void> {
  const registrar = await signingRegistrar(home)
  const keys = [...registrar.log.state.keys.values()]
  for (const [agent, roles] of Object.entries(AGENTS)) {
    const known = keys.find((key) => key.agent === agent)
    const id = known?.id ?? (await hire(home, agent))
    if (!known) await registrar.register(agent, roles, hired.get(id) ?? new Uint8Array())
  }
}

const hired = new Map<string, Uint8Array>()

async function hire(home: Home, agent: string): Promise<string> {
  const { id, publicKey } = await home.keyring.create(agent)
  hired.set(id, publicKey)
  return id
}

/** A finished errand; its trace. */
export const runErrand = (directory: string): Promise<string> =>
  withHome({ directory, mode: 'write' }, async (home) => {
    await registerSigners(home)
    const registrar = await signingRegistrar(home)
    return (await completeErrand(runKitOf(home), registrar)).trace
  })

/** A trace of one event with this payload; its trace. */
export const sayOnce = (directory: string, payload: Payload, artifact?: Uint8Array): Promise<string> =>
  withHome({ directory, mode: 'write' }, async (home) => {
    await registerSigners(home)
    const registrar = await signingRegistrar(home)
    if (artifact) await home.store.putArtifact(artifact)
    const log = new TraceLog(home.ports, errand, home.ports.newTrace())
    const actor = registrar.actor('paula', 'planner')
    await log.append([{ type: 'errand_opened', actor, payload: { seats: ['a'], ...payload } }])
    return log.trace
  })
