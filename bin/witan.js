#!/usr/bin/env node
// A hook loads nothing of the command. Hosts start bin/hook.cjs; this way it is started by hand, and as the process that stays.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const words = process.argv.slice(2)
const given = words.slice(1)
const program = fileURLToPath(import.meta.url)
const isHook = words[0] === 'hook' && !words.includes('--help')

if (!isHook) await (await import('../dist/command/main.js')).main(words)
else {
  const { default: hook } = await import('../dist/hook/hook.cjs')
  if (given[0] === 'resident') await hook.reside(given, program)
  else await hook.main(given, program, readFileSync(0))
}
