// At a terminal a person is asked whether a file may name commands, servers and addresses, and shown which ones it
// names. What is trusted then are the bytes that were read, not what the file holds when the answer comes.

import { stat } from 'node:fs/promises'
import type { AskTrust } from '../../app/config/config.ts'
import { trust } from '../../app/home/trusted-files.ts'
import { plain } from '../../render/plain.ts'
import { saysYes } from './yes-or-no.ts'

/** Undefined where nobody can be asked: no terminal, or a machine reads the output. */
export function trustAsker(home: string, manner: { json: boolean; quiet: boolean }): AskTrust | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY || manner.json || manner.quiet) return undefined
  return async ({ file, faults }, bytes) => {
    // Without a home there is nowhere to remember the answer.
    if (!(await stat(home).catch(() => null))) return false
    const lines = faults.map(({ line, key }) => `  line ${line}  ${plain(key)}`)
    process.stderr.write(
      `${plain(file)} wants to decide\nwhat runs on this machine and who is asked:\n${lines.join('\n')}\n`,
    )
    if (!(await saysYes('Did you read it, and trust it as it is now? [y/N] '))) return false
    await trust(home, file, bytes)
    return true
  }
}
