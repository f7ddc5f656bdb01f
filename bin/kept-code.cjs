// A program in one file, with what V8 made of it kept in the user's own cache, so that most of what Node would do anew at
// each start is done once. What is kept is code: it never lies in a home, which may have come from someone else. It counts
// only for these very bytes; where it is missing, damaged or of another Node, the file is read as any other.

const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const { createRequire } = require('node:module')
const { homedir } = require('node:os')
const { dirname, isAbsolute, join } = require('node:path')
const { Script } = require('node:vm')

const DIGEST_BYTES = 32

function cacheFolder() {
  const { XDG_CACHE_HOME = '' } = process.env
  return join(isAbsolute(XDG_CACHE_HOME) ? XDG_CACHE_HOME : join(homedir(), '.cache'), 'witan')
}

/** What `file` exports. A script of which the code was kept cannot import by itself: it is handed `load`. */
exports.run = (file, { name, load }) => {
  const folder = cacheFolder()
  const kept = join(folder, `${name}-${process.version}-${process.arch}.cache`)
  const source = readFileSync(file, 'latin1')
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

  const wrapped = `(function (exports, require, module, __filename, __dirname, OWN_IMPORT) {${source}\n})`
  const cachedData = keptCode()
  const script = new Script(wrapped, { filename: file, ...(cachedData && { cachedData }) })

  function keep() {
    try {
      const code = script.createCachedData()
      const draft = `${kept}.${process.pid}`
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      writeFileSync(draft, Buffer.concat([digestOf(code), code]), { mode: 0o600 })
      renameSync(draft, kept)
    } catch {
      // A cache that cannot be written: the next start is as slow as this one.
    }
  }

  if (!cachedData || script.cachedDataRejected) process.once('exit', keep)
  const program = { exports: {} }
  script.runInThisContext()(program.exports, createRequire(file), program, file, dirname(file), load)
  return program.exports
}
