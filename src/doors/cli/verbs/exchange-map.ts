// `witan exchange map`: the pool over time as one picture, in one file that asks for nothing.

import { mapOf } from '../../../app/exchange/build-map.ts'
import { readHistory } from '../../../app/exchange/history.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import { withHome } from '../../../app/home/home.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { plain } from '../../../render/plain.ts'
import { count } from '../../../render/story/story-line.ts'
import type { Verb } from '../command.ts'
import { usage } from '../parse.ts'
import { checkOutputs } from '../run-trace.ts'

async function drawn(file: string, data: Awaited<ReturnType<typeof mapOf>>['data']): Promise<string> {
  if (file.endsWith('.svg')) return (await import('../../../render/map/svg.ts')).mapSvg(data)
  return (await import('../../../render/map/page.ts')).mapPage(data)
}

export const run: Verb = async (call) => {
  await checkOutputs(call)
  const file = call.text('output') ?? ''
  if (!/\.(html|svg)$/.test(file))
    throw usage(`-o ${file} is no .html or .svg`, 'The name says which is drawn.')
  return withHome({ directory: call.home, mode: 'read', postgres: call.postgres }, async (home) => {
    const trace = await findTrace(home.store, call.args[0] ?? '')
    const history = await readHistory(home, trace)
    const { data, byMinds, leftOut } = await mapOf(home, history)
    const bytes = await writeFileWhole(file, Buffer.from(await drawn(file, data)), {
      replace: call.flag('force'),
    })
    const [all, themes] = [data.points.length, data.themes.length]
    return {
      value: { trace, file, bytes, messages: all, by_minds: byMinds, themes, left_out: leftOut },
      lines: [
        `Wrote ${plain(file)}: ${count(all, 'message')}, ${byMinds} of them by minds, in ${count(themes, 'theme')}`,
      ],
      hints: [
        ...(leftOut > 0
          ? [`  ${leftOut} messages have no vector of ${data.encoder}, and are not shown`]
          : []),
        'Open it in a browser; it needs no network.',
      ],
    }
  })
}
