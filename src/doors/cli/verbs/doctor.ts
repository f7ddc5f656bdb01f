// `witan doctor`: which providers can be asked and how, why not the others, and who would sit at the table. Settings
// are read before anything is looked for: a file that nobody trusted runs and reaches nothing.

import { loadSettings } from '../../../app/config/config.ts'
import { examine } from '../../../app/doctor.ts'
import { reportLines } from '../../../render/doctor.ts'
import type { Verb } from '../command.ts'
import { personAt } from '../terminal-person.ts'

const NOTHING_READY = [
  '',
  "To have models at the table, set a vendor's key such as ANTHROPIC_API_KEY,",
  'log in to claude, codex or gemini, or start Ollama. Then run witan doctor again.',
]

const ASK = ['', 'To ask each ready seat one tiny question: witan doctor --ask']

export const run: Verb = async (call) => {
  const { home, width, paint } = call
  const settings = await loadSettings({
    home,
    from: process.cwd(),
    file: call.text('config'),
    person: personAt(call),
  })
  const surroundings = { settings, env: process.env, signal: new AbortController().signal }
  const findings = await examine(surroundings, { ask: call.flag('ask'), progress: call.progress })
  const ready = findings.table.seats.filter((one) => one.ready).map(({ seat }) => seat)
  const next = ready.length > 0 && !call.flag('ask') ? ASK : []
  return {
    value: { files: settings.files, ...findings },
    lines: reportLines(findings, { width, paint }),
    brief: ready,
    hints: findings.table.from === 'embedded' ? NOTHING_READY : next,
  }
}
