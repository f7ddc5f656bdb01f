// `witan trust`: a person says that a file may name commands, servers and addresses. It is the bytes that are
// trusted; the list shows which files have changed since.

import { stat } from 'node:fs/promises'
import { distrust, isTrusted, trust, trustedFiles } from '../../../app/home/trusted-files.ts'
import { isWitanError, WitanError } from '../../../ledger/errors.ts'
import { plain } from '../../../render/plain.ts'
import type { Outcome, Verb } from '../command.ts'
import { usage } from '../parse.ts'

async function stateOf(home: string, file: string): Promise<'trusted' | 'changed' | 'missing'> {
  try {
    return (await isTrusted(home, file)) ? 'trusted' : 'changed'
  } catch (error) {
    if (isWitanError(error, 'FILE_NOT_FOUND')) return 'missing'
    throw error
  }
}

async function list(home: string): Promise<Outcome> {
  const files = await Promise.all(
    Object.entries(await trustedFiles(home)).map(async ([file, sha256]) => ({
      file,
      sha256,
      state: await stateOf(home, file),
    })),
  )
  return {
    value: { home, files },
    lines:
      files.length > 0
        ? files.map(({ file, state }) => `${state.padEnd(8)} ${plain(file)}`)
        : ['No file is trusted.'],
    brief: files.filter(({ state }) => state === 'trusted').map(({ file }) => plain(file)),
  }
}

export const run: Verb = async (call) => {
  const [file] = call.args
  const exists = await stat(call.home).catch(() => null)
  if (!exists) {
    throw new WitanError('HOME_MISSING', `there is no home at ${call.home}`, 'Run `witan init` to make one.')
  }
  if (call.flag('list')) {
    if (file !== undefined || call.flag('remove'))
      throw usage('--list stands alone', 'Run `witan trust --list`.')
    return list(call.home)
  }
  if (file === undefined) throw usage('witan trust needs FILE or --list', 'See `witan trust --help`.')
  if (call.flag('remove')) {
    const was = await distrust(call.home, file)
    const text = was ? 'is trusted no longer' : 'was not trusted'
    return { value: { file, removed: was }, lines: [`${plain(file)} ${text}`], brief: [] }
  }
  const entry = await trust(call.home, file)
  return {
    value: entry,
    lines: [`Trusted ${plain(entry.file)} as it is now`, `  sha256  ${entry.sha256}`],
    brief: [],
    hints: ['When it changes it has to be trusted again.'],
  }
}
