// What a host may write for others to check: a trace in one of its forms, or a proof. It goes into the
// exports folder of the home, under a name of ours.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { exportFlat } from '../../../app/traces/export-flat.ts'
import { exportForm } from '../../../app/traces/export-forms.ts'
import { exportTrace } from '../../../app/traces/export-trace.ts'
import { proveEvent, proveSince } from '../../../app/traces/prove.ts'
import { WitanError } from '../../../ledger/errors.ts'
import { exportLines, formLines, proofLines } from '../../../render/trace-results.ts'
import { refuseHidden } from '../hidden-traces.ts'
import { fileInside } from '../inside-folder.ts'
import { findTrace, type Kit, locationOf, tool } from '../tool.ts'
import { answer, trace } from './traces.ts'

/** Where this trace may be written to, and its id. */
async function placeFor(kit: Kit, name: string) {
  const id = await findTrace(kit, name)
  await refuseHidden(kit, id)
  const folder = join(kit.home, 'exports')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return { id, fileOf: (ending: string): string => join(folder, `${id}${ending}`) }
}

const traceExport = tool({
  name: 'trace_export',
  title: 'Export a trace',
  description: 'Write a trace into the exports folder of the home, as a bundle or page anyone can verify.',
  input: z.object({
    trace,
    html: z.boolean().optional(),
    without_content: z.boolean().optional().describe('headers and proofs only'),
    artifact_limit: z.int().min(0).optional().describe('bytes'),
    checkpoint: z.boolean().optional().describe('save it beside'),
    form: z.enum(['dsse', 'sigstore', 'statement', 'flat']).optional().describe('for other programs'),
  }),
  readOnly: false,
  async run(input, { kit, progress }) {
    const { id, fileOf } = await placeFor(kit, input.trace)
    const { html = false, form } = input
    if (form === 'flat') {
      const value = await exportFlat(locationOf(kit), id, { file: fileOf('.flat.jsonl'), replace: true })
      return answer({ trace: id, ...value }, [`Wrote ${value.file}: ${value.councils} councils`])
    }
    if (form) {
      const file = fileOf(`.${form}.jsonl`)
      const value = await exportForm(locationOf(kit), id, {
        form,
        file,
        keysFolder: fileOf('.keys'),
        replace: true,
      })
      return answer(value, formLines(value))
    }
    progress('Signing a checkpoint…')
    const value = await exportTrace(locationOf(kit), id, {
      file: fileOf(html ? '.html' : '.witan'),
      html,
      withoutContent: input.without_content ?? false,
      artifactLimit: input.artifact_limit ?? null,
      checkpointFile: input.checkpoint ? fileOf('.checkpoint') : null,
      replace: true,
    })
    return answer(value, exportLines(value))
  },
})

const traceProve = tool({
  name: 'trace_prove',
  title: 'Prove an event',
  description: 'Write the proof that one event is in a trace, or that a trace only grew since a checkpoint.',
  input: z.object({
    trace,
    seq: z.int().min(0).max(1e9).optional(),
    since: z.string().min(1).max(500).optional().describe('checkpoint file in the working folder'),
    tlog_proof: z.boolean().optional().describe('of an event: as C2SP tlog-proof'),
  }),
  readOnly: false,
  async run({ trace: name, seq, since, tlog_proof: tlogProof = false }, { kit }) {
    const { id, fileOf } = await placeFor(kit, name)
    if ((seq === undefined) === (since === undefined) || (tlogProof && since !== undefined))
      throw new WitanError('USAGE', 'either one event or since is proved', 'Give seq, or since alone.')
    const proof =
      seq === undefined
        ? await proveSince(locationOf(kit), id, await fileInside(process.cwd(), since ?? ''), {
            file: fileOf('.growth.proof'),
            replace: true,
          })
        : await proveEvent(locationOf(kit), id, seq, {
            file: fileOf(tlogProof ? `.${seq}.tlog-proof` : `.${seq}.proof`),
            tlogProof,
            replace: true,
          })
    return answer(proof, proofLines(proof))
  },
})

export const EVIDENCE_TOOLS = [traceExport, traceProve]
