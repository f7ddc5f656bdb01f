#!/usr/bin/env node
// A hook loads nothing of the command. Hosts start bin/hook.cjs; this way it is started by hand, and as the process that stays.
// A council loads most of the command: it gets it in one file.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const words = process.argv.slice(2)
const given = words.slice(1)
const program = fileURLToPath(import.meta.url)
const isHelp = words.includes('--help')

async function runHook() {
  const { default: hook } = await import('../dist/hook/hook.cjs')
  if (given[0] === 'resident') await hook.reside(given, program)
  else await hook.main(given, program, readFileSync(0))
}

async function runCouncil() {
  const { default: kept } = await import('./kept-code.cjs')
  const file = fileURLToPath(new URL('../dist/command-in-one/witan.cjs', import.meta.url))
  await kept.run(file, { name: 'council', load: (name) => import(name) }).main(words)
}

if (words[0] === 'hook' && !isHelp) await runHook()
else if (['ask', 'review', 'council'].includes(words[0]) && !isHelp) await runCouncil()
else await (await import('../dist/command/main.js')).main(words)
