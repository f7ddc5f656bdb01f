// The home itself inside a host: which models could be asked, who may sign, and what is erased.

import { z } from 'zod'
import { doctor } from '../../../app/doctor.ts'
import { NO_PERSON } from '../../../app/person.ts'
import { reportLines } from '../../../render/doctor.ts'
import { PAGE, tool } from '../tool.ts'
import { REDACT_TOOLS } from './ending.ts'
import { KEYS_TOOLS } from './keys.ts'
import { answer } from './traces.ts'

const doctorTool = tool({
  name: 'doctor',
  title: 'Say who can be asked',
  description:
    'Which models can be asked from here, which seats a council would use now, and why other models are not ready.',
  input: z.object({
    ask: z.boolean().optional().describe('ask each one tiny question, which may cost a little'),
    all: z.boolean().optional().describe('every way to reach each'),
  }),
  readOnly: true,
  async run({ ask = false, all = false }, { kit, progress, signal }) {
    const findings = await doctor({
      home: kit.home,
      from: process.cwd(),
      file: kit.config,
      env: process.env,
      ask,
      person: NO_PERSON,
      signal,
      progress,
    })
    return answer(findings, reportLines(findings, PAGE, all))
  },
})

export const HOME_TOOLS = [...KEYS_TOOLS, ...REDACT_TOOLS, doctorTool]
