// `npm run test:vendors`: installs the vendors' own programs and MCP's public inspector and conformance suite, and a
// collector into .vendor-cache/ unless they are there, and runs test/vendors/ with them against loopback servers.
// `--fresh` installs them again. Other arguments go to vitest.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, '.vendor-cache')
/**
 * Each with its program, or null for a library, in a folder of its own. Some need a later Node than Witan does: it comes with them. Hosts are named by
 * tag: of a range npm takes the newest release that asks for no later Node than this one, which people no longer run.
 */
const programs = {
  claude: ['claude', '@anthropic-ai/claude-code@latest'],
  codex: ['codex', '@openai/codex@latest'],
  gemini: ['gemini', '@google/gemini-cli@latest'],
  inspector: ['mcp-inspector', '@modelcontextprotocol/inspector@2', 'node@22'],
  conformance: ['conformance', '@modelcontextprotocol/conformance@0.1', 'node@22'],
  // The newest of LangGraph whose own parts ask for no newer core than each other.
  langchain: [null, '@langchain/langgraph@1.4.14', '@langchain/core@1', 'zod@4'],
  otlp: ['mockotlpserver', '@elastic/mockotlpserver@0'],
}

const given = process.argv.slice(2)
const fresh = given.includes('--fresh')

/** Whether it was there, is there now, or cannot be had: the tests of what is missing fail by saying so. */
function install(name, [program, ...packs]) {
  const pack = packs[0].slice(0, packs[0].lastIndexOf('@'))
  const folder = join(cache, name)
  const manifest = join(folder, 'node_modules', pack, 'package.json')
  if (fresh) rmSync(folder, { recursive: true, force: true })
  const cached = existsSync(program === null ? manifest : join(folder, 'node_modules/.bin', program))
  const start = performance.now()
  if (!cached) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n')
    const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packs]
    const { status } = spawnSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
    if (status !== 0) {
      console.error(`${packs.join(' and ')} could not be installed: npm ended with ${status}.`)
      return
    }
  }
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  const how = cached ? 'was there' : `installed in ${((performance.now() - start) / 1_000).toFixed(1)} s`
  console.error(`${pack} ${version} ${how}.`)
}

for (const [name, source] of Object.entries(programs)) install(name, source)

const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs')
const args = [
  vitest,
  'run',
  '--config',
  'test/vendors/vitest.config.ts',
  ...given.filter((arg) => arg !== '--fresh'),
]
const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
process.exit(status ?? 1)
