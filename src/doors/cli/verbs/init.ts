// `witan init`: makes a home, or finds it made, and writes settings for a project where that is wanted. Says what to do
// with them and what to hand to others. What is there is never replaced.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT_FILE, projectTemplate } from '../../../app/config/template.ts'
import { foundHome } from '../../../app/home/create-home.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import { pinFile } from '../../../app/home/registry-pin.ts'
import { userName } from '../../../app/home/user-name.ts'
import { isWitanError } from '../../../ledger/errors.ts'
import { plain } from '../../../render/plain.ts'
import type { Call, Verb } from '../command.ts'
import { npxHint } from '../help.ts'

/** Whether settings for a project are wanted: by the option, or by whoever sits at the terminal. */
async function wantsProject(call: Call, file: string): Promise<boolean> {
  if (call.flag('project')) return true
  const isAsked = process.stdin.isTTY === true && process.stderr.isTTY === true
  if (!isAsked || ['yes', 'json', 'quiet'].some((name) => call.flag(name))) return false
  const isThere = (await stat(file).catch(() => null)) !== null
  if (isThere) return false
  const { saysYes } = await import('../yes-or-no.ts')
  return saysYes(`Write a commented ${PROJECT_FILE} in this folder? [y/N] `)
}

/** What is said about the project's settings. */
async function settleProject(call: Call): Promise<{ file: string | null; line: string | null }> {
  const file = join(process.cwd(), PROJECT_FILE)
  if (!(await wantsProject(call, file))) return { file: null, line: null }
  try {
    await writeFileWhole(file, Buffer.from(projectTemplate), { replace: false })
    return { file, line: `Wrote ${PROJECT_FILE}: everything in it is a comment until you choose` }
  } catch (error) {
    if (!isWitanError(error, 'FILE_EXISTS')) throw error
    return { file, line: `${PROJECT_FILE} is there already and stays as it is` }
  }
}

export const run: Verb = async (call) => {
  const name = call.text('name') ?? userName()
  const { home, created } = await foundHome({ directory: call.home, name, postgres: call.postgres })
  try {
    const registrar = await home.registrar()
    const key = registrar.log.state.registrars[0] ?? ''
    const { file: project, line } = await settleProject(call)
    const value = {
      home: home.directory,
      created,
      registry: registrar.trace,
      key,
      vault: home.store.kind,
      project,
    }
    const title = created
      ? `Made a home at ${plain(home.directory)}`
      : `${plain(home.directory)} is a home already`
    const lines = [
      call.paint.bold(title),
      `  registry  ${value.registry}`,
      `  key       ${value.key}`,
      `  for others to verify with: ${plain(pinFile(home.directory))}`,
      ...(line === null ? [] : [line]),
    ]
    const hints = [
      '',
      'Next: witan ask "QUESTION"   asks whoever is ready',
      '      witan doctor           says who that is',
      ...npxHint(),
    ]
    return { value, lines, brief: [], hints: created ? hints : [] }
  } finally {
    await home.close()
  }
}
