// Holds a sandbox open until it is killed: a command or a server that sleeps, recognisable by its mark.
import { definitionHash } from '../../src/hands/hand.ts'
import { mcpHand } from '../../src/hands/mcp/mcp.ts'
import { shellHand } from '../../src/hands/shell/shell.ts'

const [kind = '', folder = '', mark = ''] = process.argv.slice(2)
const clean = (text: string) => ({ text, removed: 0 })
const forbidden = { never: [], homes: [] }
const roots = [{ name: 'workspace', path: folder, write: true }]
const script = `sleep ${mark} & setsid sleep ${mark} & sleep ${mark}`
const { signal } = new AbortController()
const limits = { timeoutMs: 600_000, maxOutputBytes: 1 << 20, maxProcesses: 32 }

process.stdout.write('begins\n')
if (kind === 'shell') {
  const hand = shellHand({ roots, forbidden, commands: [['sh']], clean })
  const [run] = await hand.tools(signal)
  if (run === undefined) throw new Error('no shell.run')
  const input = { command: ['sh', '-c', script] }
  await hand.call({ tool: 'shell.run', input, definitionHash: definitionHash(run), signal, limits })
} else {
  const server = { command: ['/bin/sh', '-c', script] }
  const enclosure = { roots, forbidden, network: false, folders: [] }
  await mcpHand({ name: 'fake', server, clean, enclosure, startMs: 600_000 }).tools(signal)
}
