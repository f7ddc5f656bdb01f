// Verbs that read an exchange and change nothing: its state, its terms, two branches side by side, its map,
// its messages as rows; and what the detector of restart requests says about texts.

import { compareTraces } from '../../../app/exchange/compare-traces.ts'
import { exchangeRows } from '../../../app/exchange/history.ts'
import { exchangeNamed, readExchangeState } from '../../../app/exchange/open-exchange.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import { type Home, withHome } from '../../../app/home/home.ts'
import type { MapData } from '../../../exchange/map/map.ts'
import { systemPrompts } from '../../../exchange/prompts/system-prompts.ts'
import { exchangeValue } from '../../../exchange/result.ts'
import { comparisonView, exchangeLines, hintsFor } from '../../../render/exchange.ts'
import { block, plain, plainJson } from '../../../render/plain.ts'
import { count } from '../../../render/story/story-line.ts'
import { type Call, locationOf, type Outcome, usage, type Verb } from '../command.ts'
import { checkOutputs } from '../run-trace.ts'

const reading = (call: Call, work: (home: Home, trace: string) => Promise<Outcome>): Promise<Outcome> =>
  withHome({ ...locationOf(call), mode: 'read' }, async (home) =>
    work(home, await exchangeNamed(home, call.args[0] ?? 'last')),
  )

export const status: Verb = (call) =>
  reading(call, async (home, trace) => {
    const state = await readExchangeState(home, trace)
    const value = exchangeValue(state)
    return { value, lines: exchangeLines(value, call), hints: hintsFor(state) }
  })

/** `witan exchange terms`: shows the terms in force; `--set` amends them. */
export const terms: Verb = async (call) => {
  if (call.text('set') !== null) return (await import('./acts.ts')).amend(call)
  return reading(call, async (home, trace) => {
    const state = await readExchangeState(home, trace)
    const { terms: inForce, termsHash } = state
    const prompts = systemPrompts(state)
    const { stringify } = await import('yaml')
    return {
      value: { trace, hash: termsHash, terms: inForce, system_prompts: prompts },
      lines: [
        `# terms of ${trace}`,
        `# ${termsHash}`,
        ...block(stringify(inForce, { lineWidth: 72 }), ''),
        ...prompts.flatMap(({ of, id, text }) => [
          '',
          `# system prompt of the ${of} (${id}), given beside these terms`,
          ...block(text, '# '),
        ]),
      ],
    }
  })
}

export const compare: Verb = (call) =>
  reading(call, async (home, a) => {
    const b = await exchangeNamed(home, call.args[1] ?? '')
    return comparisonView(a, b, await compareTraces(home, a, b), call)
  })

async function drawn(file: string, data: MapData): Promise<string> {
  if (file.endsWith('.svg')) return (await import('../../../render/map/picture.ts')).mapSvg(data)
  const { builtFile } = await import('../../../app/verification-page.ts')
  return (await import('../../../render/map/page.ts')).mapPage(data, await builtFile('map.js'))
}

/** `witan exchange map`: the pool over time as one picture, in one file without external resources. */
export const map: Verb = async (call) => {
  await checkOutputs(call)
  const file = call.text('output') ?? ''
  if (!/\.(html|svg)$/.test(file))
    throw usage(`-o ${file} is no .html or .svg`, 'Name it map.html or map.svg.')
  return reading(call, async (home, trace) => {
    const { exchangeMap } = await import('../../../app/exchange/build-map.ts')
    const { data, byMinds, leftOut } = await exchangeMap(home, trace)
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

/** `witan exchange export`: the whole exchange as flat rows, for analysis. */
export const exporting: Verb = async (call) => {
  await checkOutputs(call)
  return reading(call, async (home, trace) => {
    const rows = exchangeRows(home, trace)
    const file = call.text('output')
    if (file === null) {
      const all: object[] = []
      for await (const row of rows) all.push(row)
      return { value: { trace, rows: all }, lines: all.map((row) => plainJson(row)) }
    }
    let written = 0
    async function* lines(): AsyncGenerator<Uint8Array> {
      for await (const row of rows) {
        written++
        yield Buffer.from(`${JSON.stringify(row)}\n`)
      }
    }
    const bytes = await writeFileWhole(file, lines(), { replace: call.flag('force') })
    return {
      value: { trace, file, rows: written, bytes },
      lines: [`Wrote ${plain(file)}: ${written} messages, ${bytes} bytes`],
    }
  })
}

export const score: Verb = async (call) => {
  const { readTexts, scoreIn } = await import('../../../app/exchange/scorer.ts')
  const scored = await scoreIn(call.home, await readTexts(call.args[0] ?? ''))
  return { value: scored, lines: scored.scores.map((row) => JSON.stringify(row)) }
}
