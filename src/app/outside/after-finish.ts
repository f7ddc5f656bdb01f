// What the home's settings request after a trace is finished and its checkpoint recorded: attestations by
// outsiders, spans for a collector. None of it can fail a finished run: a failure is a warning with the
// command that tries again.

import type { Ports } from '../../clerk/ports.ts'
import { Registrar } from '../../clerk/registrar.ts'
import { ownSettings } from '../home/home.ts'

const warn = (message: string, next: string): void =>
  process.emitWarning(`${message}\nnext: ${next}`, { type: 'WitanWarning' })

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

async function attest(home: string, ports: Ports, trace: string): Promise<void> {
  const { readAttestors } = await import('../attest/pinned.ts')
  const attestors = await readAttestors(home)
  if (attestors.authorities.length + attestors.witnesses.length === 0) return
  const { attestIn } = await import('../attest/attest-trace.ts')
  const { failed } = await attestIn(ports.store, await Registrar.open(ports), trace, attestors)
  for (const { by, why } of failed)
    warn(`${trace} was not attested by ${by}: ${why}`, `witan attest ${trace}`)
}

async function sendSpans(home: string, { store }: Ports, trace: string): Promise<void> {
  const { readCollector, sendSpans: send } = await import('../otel/export-spans.ts')
  const collector = await readCollector(home)
  if (collector) await send(store, trace, collector)
}

/** Does what the settings of the home request for a finished trace. */
export async function afterFinish(home: string, ports: Ports, trace: string): Promise<void> {
  const settings = await ownSettings(home).catch(() => null)
  const { timestamps, witnesses, otel } = settings?.sections ?? {}
  const wanted = [
    ...(timestamps || witnesses ? [{ work: attest, command: 'attest' }] : []),
    ...(otel ? [{ work: sendSpans, command: 'otel' }] : []),
  ]
  for (const { work, command } of wanted) {
    await work(home, ports, trace).catch((error: unknown) =>
      warn(wordsOf(error), `witan ${command} ${trace}`),
    )
  }
}
