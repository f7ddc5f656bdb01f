// The commands that hand out evidence for programs and outsiders: proofs, timestamps and cosignatures, spans.

import type { Command, Option } from '../command.ts'
import { TRACE_NOTE } from './read.ts'
import { FORCE } from './run-options.ts'

export const OUTPUT: Option = {
  name: 'output',
  short: 'o',
  value: 'FILE',
  required: true,
  about: 'where to write',
}

export const EVIDENCE_COMMANDS = [
  {
    name: 'prove',
    about: 'write the proof of one event, or that nothing was rewritten',
    args: [{ name: 'TRACE' }, { name: 'SEQ', optional: true }],
    options: [
      OUTPUT,
      { name: 'since', value: 'FILE', about: 'prove that the trace extends this checkpoint' },
      { name: 'tlog-proof', about: 'as a C2SP tlog-proof, for programs without Witan' },
      FORCE,
    ],
    notes: `${TRACE_NOTE} \`witan verify\` accepts the file alone; a tlog-proof is for other programs.`,
    examples: [
      ['prove last 3 -o event-3.witan', 'one event and its place, without the others'],
      ['prove last --since yesterday.checkpoint -o grown.witan', 'that history only grew'],
    ],
  },
  {
    name: 'attest',
    about: 'have a checkpoint timestamped and cosigned by outsiders',
    args: [{ name: 'TRACE' }],
    options: [],
    notes:
      `${TRACE_NOTE}\nAsks those under timestamps: and witnesses: in the settings of the home, and records what they give. ` +
      'Sent are a hash and the checkpoint of the registry, never an event. `witan verify` says what they attest.',
    examples: [['attest last', 'no later than when it was, and that its history was seen']],
  },
  {
    name: 'otel',
    about: 'export a trace as OpenTelemetry spans',
    args: [{ name: 'TRACE' }],
    options: [
      { name: 'url', value: 'URL', about: 'the collector (default: otel: in the settings of the home)' },
      { name: 'output', short: 'o', value: 'FILE', about: 'write OTLP JSON to a file instead' },
      { name: 'content', about: 'with what was said; left out by default' },
      FORCE,
    ],
    notes: `${TRACE_NOTE}\nIds come from the trace: exporting again gives the same spans.`,
    examples: [
      ['otel last --url http://127.0.0.1:4318/v1/traces', 'to a collector, as OTLP over HTTP'],
      ['otel last -o spans.json', 'to a file'],
    ],
  },
] as const satisfies readonly Command[]
