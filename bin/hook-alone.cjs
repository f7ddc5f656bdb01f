// A hook that answers by itself: everything that it takes is in one file.

const { join } = require('node:path')
const { run } = require('./kept-code.cjs')

const words = process.argv.slice(2)
const hook = run(join(__dirname, '../dist/hook/hook.cjs'), { name: 'hook' })

/** Answers what a host told, as its process. */
exports.answer = (told) => hook.main(words, join(__dirname, 'witan.js'), told)
