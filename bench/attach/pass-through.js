// The least that a gateway does: each message of host and server is parsed and written on. It records, judges and holds nothing.
import { spawn } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] })

function passOn(from, to) {
  let rest = ''
  from.setEncoding('utf8')
  from.on('data', (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()
    for (const line of lines) to.write(`${JSON.stringify(JSON.parse(line))}\n`)
  })
}

passOn(process.stdin, server.stdin)
passOn(server.stdout, process.stdout)
process.stdin.on('end', () => server.stdin.end())
server.on('exit', () => process.exit())
