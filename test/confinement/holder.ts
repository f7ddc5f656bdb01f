// Holds a sandbox open until it is killed: a command or a server that sleeps, recognisable by its mark.

import { mcpTools } from '../../src/tools/mcp/mcp.ts'
import { shellTools } from '../../src/tools/shell/shell.ts'
import { definitionHash } from '../../src/tools/toolset.ts'

const [kind = '', folder = '', mark = ''] = process.argv.slice(2)
const clean = (text: string) => ({ text, removed: 0 })
const forbidden = { never: [], homes: [] }
const roots = [{ name: 'workspace', path: folder, write: true }]
const script = `sleep ${mark} & setsid sleep ${mark} & sleep ${mark}`
const { signal } = new AbortController()
const limits = { timeoutMs: 600_000, maxOutputBytes: 1 << 20, maxProcesses: 32 }

process.stdout.write('begins\n')
if (kind === 'shell') {
  const toolset = shellTools({ roots, forbidden, commands: [['sh']], clean })
  const [run] = await toolset.tools(signal)
  if (run === undefined) throw new Error('no shell.run')
  const input = { command: ['sh', '-c', script] }
  await toolset.call({ tool: 'shell.run', input, definitionHash: definitionHash(run), signal, limits })
} else {
  const server = { command: ['/bin/sh', '-c', script] }
  const enclosure = { roots, forbidden, network: false, folders: [] }
  await mcpTools({ name: 'fake', server, clean, enclosure, startMs: 600_000 }).tools(signal)
}
