// Options of commands that run a trace to its end.

import type { Option } from '../command.ts'

export const FORCE: Option = { name: 'force', about: 'replace a file that is there already' }

export const YES: Option = { name: 'yes', short: 'y', about: 'send it without asking first' }

export const RESULT: readonly Option[] = [
  { name: 'output', short: 'o', value: 'FILE', about: 'write the result there' },
  { name: 'checkpoint-out', value: 'FILE', about: 'save the checkpoint too: it shows later cuts' },
  FORCE,
]

const FORMATS = ['text', 'md', 'json', 'html', 'sarif'] as const

export const FORMAT: Option = {
  name: 'format',
  value: 'FORM',
  choices: FORMATS,
  about: `how the report is written: ${FORMATS.join(', ')}`,
}

const GATES = ['critical', 'high', 'medium', 'low', 'reject', 'need-info'] as const

export const FAIL_ON: Option = {
  name: 'fail-on',
  value: 'WHAT',
  choices: GATES,
  about: 'exit 9 on a finding this severe or worse, or on this decision',
}
