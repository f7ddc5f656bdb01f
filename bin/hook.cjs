#!/usr/bin/env node
// A hook as hosts start it for each of their calls where they cannot ask the resident process with a lighter program. It asks
// that process first, and loads nothing else until it knows that none listens. Only a clean yes lets a gated call pass;
// what has been told to the resident process is never answered here as well, for then it would be recorded twice.

const { readFileSync, statSync } = require('node:fs')

const words = process.argv.slice(2)
const at = words.indexOf('--socket')
const socket = at < 0 ? undefined : words[at + 1]
const gates = !words.includes('--record')
const [host] = words
const told = readFileSync(0)

/** Also of what is only told, the command in the settings makes an end that holds nothing up. */
function deny(why) {
  if (gates) process.stderr.write(`${why}\n`)
  process.exit(gates ? 2 : 0)
}

const answerAlone = () => require('./hook-alone.cjs').answer(told)

function hear(answer) {
  const end = answer.indexOf('\r\n\r\n')
  const [, status] = /^HTTP\/1\.[01] (\d{3}) /.exec(answer) ?? []
  if (end >= 0 && status === '204') process.exit(0)
  if (end >= 0 && status === '403' && answer.length > end + 4) deny(answer.slice(end + 4))
  deny(`Witan: the resident process gave no answer (${status ?? 'none'}), so the call is denied`)
}

function ask(path) {
  const id = words[words.indexOf('--as') + 1]
  const { connect } = require('node:net')
  const chunks = []
  let isConnected = false
  const wire = connect(path, () => {
    isConnected = true
    const agent = (process.env.AI_AGENT ?? '').replaceAll(/[^\x20-\x7e]/g, '')
    const head = `POST /${host}/${gates ? 'gate' : 'record'}/${id} HTTP/1.0\r\nx-agent: ${agent}\r\ncontent-length: ${told.length}\r\n\r\n`
    wire.write(head)
    wire.write(told)
  })
  wire.on('data', (chunk) => chunks.push(chunk))
  wire.on('end', () => hear(Buffer.concat(chunks).toString('utf8')))
  wire.on('error', (error) => {
    if (isConnected) deny(`Witan: the resident process broke off (${error.code}), so the call is denied`)
    else answerAlone()
  })
}

/** Another user's would answer as that user likes. */
function isOurs(path) {
  try {
    return statSync(path).uid === process.geteuid()
  } catch {
    return false
  }
}

if (socket === undefined || !isOurs(socket)) answerAlone()
else ask(socket)
