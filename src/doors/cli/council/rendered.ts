// The result of a council in the form that was asked for, ending with a line end.

import { readFileSync } from 'node:fs'
import type { CouncilResult } from '../../../app/council/council-result.ts'
import { FORMATS, type Format, renderReport } from '../../../render/report/render.ts'
import type { Call } from '../command.ts'

const version = (): string =>
  String(JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')).version)

/** Without `--format`, the ending of the file tells; without a file it is text for the terminal. */
function formatOf(call: Call): Format {
  const ending = /\.([a-z]+)$/i.exec(call.text('output') ?? '')?.[1]?.toLowerCase()
  const asked = call.text('format') ?? (ending === 'htm' ? 'html' : ending)
  return FORMATS.find((format) => format === asked) ?? 'text'
}

export function rendered(result: CouncilResult, call: Call): string {
  const toFile = call.text('output') !== null
  const { width, paint } = call
  return renderReport(formatOf(call), result, {
    version: version(),
    ...(toFile ? {} : { width, paint }),
  })
}
