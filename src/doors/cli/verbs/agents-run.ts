// `witan agents run`: a session from its task to its audit.

import { runTask } from '../../../app/agents/running.ts'
import { readTask } from '../../../app/agents/task-file.ts'
import { askTrust } from '../../../app/config/config.ts'
import { openOrFound } from '../../../app/home/signers.ts'
import type { Verb } from '../command.ts'
import { checkOutputs } from '../run-trace.ts'
import { personAt } from '../terminal-person.ts'

export const run: Verb = async (call) => {
  await checkOutputs(call)
  const home = await openOrFound({ directory: call.home, postgres: call.postgres })
  try {
    const ask = askTrust(call.home, personAt(call))
    return await runTask(home, await readTask(call.args[0] ?? '', call.home, ask), call)
  } finally {
    await home.close()
  }
}
