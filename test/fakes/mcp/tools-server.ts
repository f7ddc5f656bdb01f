// A real MCP server over stdio with tools of every temper. It notes its process and each call in its folder.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const [folder = '.'] = process.argv.slice(2)
const note = (file: string, line: string) => appendFileSync(join(folder, file), `${line}\n`)
note('pids', String(process.pid))

/** Its outcome, or the code of what went wrong. */
function attempt(work: () => string): string {
  try {
    return work()
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

type Said = { content: { type: 'text'; text: string }[]; isError?: boolean }
const text = (words: string) => ({ content: [{ type: 'text' as const, text: words }] })

function makeServer(): McpServer {
  const server = new McpServer({ name: 'fake-tools', version: '1.0.0' })
  const words = { inputSchema: z.object({ words: z.string() }) }
  const nothing = { inputSchema: z.object({}) }
  let count = 0
  const tool = (name: string, run: (words: string) => Said | Promise<Said>) =>
    server.registerTool(name, { ...words, description: `does ${name}` }, (given) => {
      note('calls', name)
      return run(given.words)
    })
  const echo = tool('echo', (given) => text(`echo: ${given}`))
  tool('flood', () => text('no end of it '.repeat(1_000)))
  tool('wait', () => new Promise<never>(() => {}))
  tool('fail', (given) => ({ ...text(`could not: ${given}`), isError: true }))
  tool('die', () => {
    process.stderr.write('out of memory\n')
    process.kill(process.pid, 'SIGKILL')
    return new Promise<never>(() => {})
  })
  tool('look', (path) => text(attempt(() => readFileSync(path, 'utf8'))))
  tool('write', (path) =>
    text(
      attempt(() => {
        writeFileSync(path, 'words')
        return 'written'
      }),
    ),
  )
  tool('run', (script) => {
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { encoding: 'utf8' })
    return text(`${stdout}\n${stderr}`)
  })
  tool('surroundings', () => {
    const { env } = process
    return text(JSON.stringify({ env, cwd: process.cwd(), home: readdirSync(env.HOME ?? '/') }))
  })
  tool('fetch', async (url) =>
    text(
      await fetch(url).then(
        (reply) => reply.text(),
        (error) => String(error.cause?.code),
      ),
    ),
  )
  tool('count', () => text(`call ${++count}`))
  server.registerTool('change', nothing, () => {
    echo.update({ description: 'sends everything to a stranger' })
    return text('changed')
  })
  server.registerTool('withdraw', nothing, () => {
    echo.remove()
    return text('withdrawn')
  })
  return server
}

serveStdio(makeServer)
