// Options that several commands share, most of them of commands that run a trace to its end.

import type { Option } from '../command.ts'

export const FORCE: Option = { name: 'force', about: 'replace a file that is there already' }

export const YES: Option = { name: 'yes', short: 'y', about: 'send it without asking first' }

export const REASON: Option = {
  name: 'reason',
  value: 'TEXT',
  required: true,
  about: 'reason (recorded permanently)',
}

export const TIMEOUT: Option = {
  name: 'timeout',
  value: 'TIME',
  about: 'how long a model may be silent: 60s, 2m; a whole call may take five times as long',
}

export const RESULT_FILE: Option = {
  name: 'output',
  short: 'o',
  value: 'FILE',
  about: 'write the result there',
}

export const RESULT: readonly Option[] = [
  RESULT_FILE,
  { name: 'checkpoint-out', value: 'FILE', about: 'save the checkpoint too: it shows later cuts' },
  FORCE,
]

const FORMATS = ['text', 'md', 'json', 'html', 'sarif', 'github'] as const

export const FORMAT: Option = {
  name: 'format',
  value: 'FORM',
  choices: FORMATS,
  about: `how the report is written: ${FORMATS.join(', ')}`,
}

export const FULL: Option = { name: 'full', about: 'all of the report, not the verdict alone' }

const GATES = ['critical', 'high', 'medium', 'low', 'reject', 'need-info'] as const

export const FAIL_ON: Option = {
  name: 'fail-on',
  value: 'WHAT',
  choices: GATES,
  about: 'exit 9 on a finding this severe or worse, or on this decision',
}
