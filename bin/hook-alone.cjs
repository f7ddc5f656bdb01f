// A hook that answers by itself: everything that it takes is in one file, and what V8 made of it is kept in the home, so that most
// of what Node would do anew for each call is done once. What is kept counts only for these very bytes; where it is
// missing, damaged or of another Node, the file is read as any other.

const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, join } = require('node:path')
const { Script } = require('node:vm')

const FILE = join(__dirname, '../dist/hook/hook.cjs')
const DIGEST_BYTES = 32

const words = process.argv.slice(2)
const at = words.indexOf('--home')
const home = at < 0 ? process.env.WITAN_HOME || join(homedir(), '.witan') : words[at + 1]
const kept = join(home, 'attachments', `hook-${process.version}-${process.arch}.cache`)

const source = readFileSync(FILE, 'latin1')
const digestOf = (code) => createHash('sha256').update(source, 'latin1').update(code).digest()

/** What was kept of exactly this file, undamaged. */
function keptCode() {
  try {
    const bytes = readFileSync(kept)
    const code = bytes.subarray(DIGEST_BYTES)
    return digestOf(code).equals(bytes.subarray(0, DIGEST_BYTES)) ? code : undefined
  } catch {
    return undefined
  }
}

const wrapped = `(function (exports, require, module, __filename, __dirname) {${source}\n})`
const cachedData = keptCode()
const script = new Script(wrapped, { filename: FILE, ...(cachedData && { cachedData }) })

function keep() {
  try {
    const code = script.createCachedData()
    const draft = `${kept}.${process.pid}`
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 })
    writeFileSync(draft, Buffer.concat([digestOf(code), code]), { mode: 0o600 })
    renameSync(draft, kept)
  } catch {
    // A home that cannot be written: the answer says so, and the next hook is as slow as this one.
  }
}

if (!cachedData || script.cachedDataRejected) process.once('exit', keep)

const hook = { exports: {} }
script.runInThisContext()(hook.exports, createRequire(FILE), hook, FILE, dirname(FILE))

/** Answers what a host told, as its process. */
exports.answer = (told) => hook.exports.main(words, join(__dirname, 'witan.js'), told)
