// What hooks import as `node:fs/promises`. A hook does one thing at a time and reads small files: what would wait for a thread of
// its own costs more there than the reading. All that writes is Node's own.

const fs = require('node:fs')

for (const name of ['access', 'lstat', 'readdir', 'readFile', 'stat'])
  exports[name] = async (...given) => fs[`${name}Sync`](...given)

for (const name of [
  'appendFile',
  'chmod',
  'copyFile',
  'link',
  'mkdir',
  'mkdtemp',
  'rename',
  'rm',
  'rmdir',
  'unlink',
  'utimes',
  'writeFile',
])
  exports[name] = (...given) => fs.promises[name](...given)

exports.realpath = async (path) => fs.realpathSync.native(path)

const reading = (file) => ({
  read: async (buffer, ...place) => ({ buffer, bytesRead: fs.readSync(file, buffer, ...place) }),
  stat: async () => fs.fstatSync(file),
  close: async () => fs.closeSync(file),
})

exports.open = async (path, flags, mode) =>
  flags === 'r' ? reading(fs.openSync(path, flags)) : fs.promises.open(path, flags, mode)
