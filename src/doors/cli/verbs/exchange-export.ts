// `witan exchange export`: the whole exchange as flat rows, for whoever wants to count.

import { flatRows } from '../../exchange/flat.ts'
import { readHistory } from '../../exchange/history.ts'
import { writeFileWhole } from '../../file.ts'
import { withHome } from '../../home.ts'
import type { Verb } from '../command.ts'
import { plain, plainJson } from '../plain.ts'
import { checkOutputs } from '../run-trace.ts'
import { findTrace } from '../trace-name.ts'

export const run: Verb = async (call) => {
  await checkOutputs(call)
  return withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.vault, call.args[0] ?? '')
    const rows = flatRows(home, await readHistory(home, trace))
    const file = call.text('output')
    if (file === null) {
      const all: object[] = []
      for await (const row of rows) all.push(row)
      return { value: { trace, rows: all }, lines: all.map((row) => plainJson(row)) }
    }
    let count = 0
    async function* lines(): AsyncGenerator<Uint8Array> {
      for await (const row of rows) {
        count++
        yield Buffer.from(`${JSON.stringify(row)}\n`)
      }
    }
    const bytes = await writeFileWhole(file, lines(), { replace: call.flag('force') })
    return {
      value: { trace, file, rows: count, bytes },
      lines: [`Wrote ${plain(file)}: ${count} messages, ${bytes} bytes`],
    }
  })
}
