// Which packages are loaded by importing the minds and seating them, and which by the first question. A hook writes
// down every module as it is loaded, in a process of its own.
import { spawnSync } from 'node:child_process'
import { withInstantServer } from './server.js'

const HOOKS = `
  import { writeSync } from 'node:fs'
  export async function load(url, context, next) {
    writeSync(2, 'LOADED ' + url + '\\n')
    return next(url, context)
  }`
const hooks = `data:text/javascript,${encodeURIComponent(HOOKS)}`
const register = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module'; register(${JSON.stringify(hooks)})`,
)}`

function packagesLoaded(baseUrl, ask) {
  const script = `
    const { apiMind, createSeat } = await import(${JSON.stringify(new URL('../../dist/models/index.js', import.meta.url))})
    const options = { kind: 'openai-compatible', name: 'local', model: 'fake-1', baseUrl: ${JSON.stringify(baseUrl)} }
    const mind = apiMind({ ...options, apiKey: async () => null })
    const seat = createSeat({ provider: 'local', model: 'fake-1', roles: ['participant'], minds: [mind] })
    const signal = new AbortController().signal
    const limits = { maxOutputTokens: null, maxReplyBytes: 1 << 20 }
    if (${ask}) await seat.ask({ round: 'R1', system: '', parts: [], schema: { type: 'object' }, limits, signal })`
  const args = ['--import', register, '--input-type=module', '-e', script]
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const names = [...stderr.matchAll(/^LOADED file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)]
  return new Set(names.map((match) => match[1]))
}

export const importRows = () =>
  withInstantServer(async (url) => {
    const [idle, asked] = [false, true].map((ask) => packagesLoaded(url, ask))
    // A check that sees nothing even when a mind is asked would prove nothing.
    if (!asked.has('@ai-sdk/openai-compatible')) throw new Error('the hook saw no package')
    const said = [...idle].join(', ') || 'none'
    return [
      {
        question: 'packages loaded before a mind is asked',
        ours: said,
        floor: `${asked.size} when asked`,
        wanted: 'none',
        met: idle.size === 0 ? 'yes' : 'NO',
      },
    ]
  })
