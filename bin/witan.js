#!/usr/bin/env node
// A hook is started for every call of a host, and loads nothing of the command.
const words = process.argv.slice(2)
const isHook = words[0] === 'hook' && !words.includes('--help')
if (isHook) await (await import('../dist/command/hook.js')).main(words.slice(1))
else await (await import('../dist/command/main.js')).main(words)
