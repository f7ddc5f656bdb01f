// `witan doctor`: which providers can be asked and how, why not the others, and who would sit at the table. Settings
// are read before anything is looked for: a file that nobody trusted runs and reaches nothing.

import { doctor } from '../../../app/doctor.ts'
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
  const ask = call.flag('ask')
  const findings = await doctor({
    home: call.home,
    from: process.cwd(),
    file: call.text('config'),
    env: process.env,
    ask,
    person: personAt(call),
    progress: call.progress,
  })
  const ready = findings.table.seats.filter((one) => one.ready).map(({ seat }) => seat)
  const next = ready.length > 0 && !ask ? ASK : []
  return {
    value: findings,
    lines: reportLines(findings, call),
    brief: ready,
    hints: findings.table.from === 'embedded' ? NOTHING_READY : next,
  }
}
