#!/usr/bin/env node
// CommonJS (see package.json here): loading modules of the other kind takes a tenth of a short command's time, and help needs none.
// A hook loads nothing of the command. Hosts start bin/hook.cjs; this way it is started by hand, and as the process that stays.
// A council loads most of the command: it gets it in one file.
const { readFileSync } = require('node:fs')
const { join } = require('node:path')

const words = process.argv.slice(2)
const given = words.slice(1)
const [first] = words
const wantsWords =
  words.includes('--help') ||
  words.includes('-h') ||
  [undefined, 'help', 'version', '--version', '-V', '-v'].includes(first)

async function runHook() {
  const hook = require('../dist/hook/hook.cjs')
  if (given[0] === 'resident') await hook.runResident(given, __filename)
  else await hook.main(given, __filename, readFileSync(0))
}

async function runCouncil() {
  const kept = require('./kept-code.cjs')
  const file = join(__dirname, '../dist/command-in-one/witan.cjs')
  await kept.run(file, { name: 'council', load: (name) => import(name) }).main(words)
}

const runCommand = async () => (await import('../dist/command/main.js')).main(words)

/** False where more than words is wanted, or the words are wrong: the command says how. */
async function answersAtOnce() {
  const { textFor, writeAtOnce } = require('../dist/command/answer-at-once.cjs')
  let text
  try {
    text = textFor(words)
  } catch {
    return false
  }
  if (text === null) return false
  const rest = writeAtOnce(text)
  if (rest.length > 0) (await import('../dist/command/main.js')).printRest(rest)
  return true
}

async function main() {
  if (wantsWords && (await answersAtOnce())) return
  if (first === 'hook') await runHook()
  else if (['ask', 'review', 'council'].includes(first)) await runCouncil()
  else await runCommand()
}

main()
