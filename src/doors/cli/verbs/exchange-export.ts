// `witan exchange export`: the whole exchange as flat rows, for whoever wants to count.

import { flatRows } from '../../../app/exchange/flat-rows.ts'
import { readHistory } from '../../../app/exchange/history.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import { withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { plain, plainJson } from '../../../render/plain.ts'
import type { Verb } from '../command.ts'
import { checkOutputs } from '../run-trace.ts'

export const run: Verb = async (call) => {
  await checkOutputs(call)
  return withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? '')
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
