// The commands that set a machine up: `witan init`, `doctor` and `trust`. Each loads its own use case.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT_FILE, projectTemplate } from '../../../app/config/template.ts'
import { createHome, pinFile, userName } from '../../../app/home/create-home.ts'
import { writeFileWhole } from '../../../app/home/files.ts'
import { distrust, listTrusted, trust as trustFile } from '../../../app/home/permissions.ts'
import { isWitanError, WitanError } from '../../../ledger/errors.ts'
import { plain } from '../../../render/plain.ts'
import { type Call, locationOf, type Outcome, usage, type Verb } from '../command.ts'
import { npxHint } from '../help.ts'

/** The message about the project's settings. */
async function settleProject(call: Call): Promise<{ file: string | null; line: string | null }> {
  const file = join(process.cwd(), PROJECT_FILE)
  if (!call.flag('project')) return { file: null, line: null }
  try {
    await writeFileWhole(file, Buffer.from(projectTemplate), { replace: false })
    return { file, line: `Wrote ${PROJECT_FILE}: everything in it is a comment until you choose` }
  } catch (error) {
    if (!isWitanError(error, 'FILE_EXISTS')) throw error
    return { file, line: `${PROJECT_FILE} is there already and stays as it is` }
  }
}

/** Makes a home if there is none, and writes settings for a project on request. Existing files stay. */
export const init: Verb = async (call) => {
  const name = call.text('name') ?? userName()
  const { home, created } = await createHome({ ...locationOf(call), name })
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
      'Next: witan demo             a whole council, without a key',
      '      witan ask "QUESTION"   asks every model that is ready',
      '      witan doctor           says who that is',
      ...npxHint(),
    ]
    return { value, lines, brief: [], hints: created ? hints : [] }
  } finally {
    await home.close()
  }
}

const NOTHING_READY = ['', 'One of these is enough (log in where it asks). Then run witan doctor again.']

const ASK = ['', 'To ask each ready seat one tiny question: witan doctor --ask']

const ALL = ['Every way to reach each, and why it is not ready: witan doctor --all']

/**
 * Which providers can be asked and how, why others cannot, and which seats would be used. Settings are read before
 * anything else: an untrusted file runs and contacts nothing.
 */
export const doctor: Verb = async (call) => {
  const [{ doctor: examine }, { reportLines }, { personAt }] = await Promise.all([
    import('../../../app/doctor.ts'),
    import('../../../render/doctor.ts'),
    import('../terminal.ts'),
  ])
  const ask = call.flag('ask')
  const findings = await examine({
    home: call.home,
    from: process.cwd(),
    file: call.text('config'),
    env: process.env,
    ask,
    person: personAt(call),
    progress: call.progress,
  })
  const [{ calibrationAt }, { calibrationLines }] = await Promise.all([
    import('../../../app/eval/outcome.ts'),
    import('../../../render/eval/calibration-lines.ts'),
  ])
  const calibration = await calibrationAt(locationOf(call))
  const past = calibration
    ? ['', call.paint.bold('How councils turned out'), ...calibrationLines(calibration, call)]
    : []
  const ready = findings.table.seats.filter((one) => one.ready).map(({ seat }) => seat)
  const next = ready.length > 0 && !ask ? ASK : ['']
  const more = call.flag('all') ? [] : ALL
  return {
    value: calibration ? { ...findings, calibration } : findings,
    lines: [...reportLines(findings, call, call.flag('all')), ...past],
    brief: ready,
    hints: [...(findings.table.from === 'embedded' ? NOTHING_READY : next), ...more],
  }
}

async function trustedList(home: string): Promise<Outcome> {
  const files = await listTrusted(home)
  return {
    value: { home, files },
    lines:
      files.length > 0
        ? files.map(({ file, state }) => `${state.padEnd(8)} ${plain(file)}`)
        : ['No file is trusted.'],
    brief: files.filter(({ state }) => state === 'trusted').map(({ file }) => plain(file)),
  }
}

/**
 * A person states that a file may name commands, servers and addresses. Trust covers its bytes; the list shows
 * which files have changed since.
 */
export const trust: Verb = async (call) => {
  const [file] = call.args
  const exists = await stat(call.home).catch(() => null)
  if (!exists) {
    throw new WitanError('HOME_MISSING', `there is no home at ${call.home}`, 'Run `witan init` to make one.')
  }
  if (call.flag('list')) {
    if (file !== undefined || call.flag('remove'))
      throw usage('--list takes nothing else', 'Run `witan trust --list`.')
    return trustedList(call.home)
  }
  if (file === undefined) throw usage('witan trust needs FILE or --list', 'See `witan trust --help`.')
  if (call.flag('remove')) {
    const was = await distrust(call.home, file)
    const text = was ? 'is trusted no longer' : 'was not trusted'
    return { value: { file, removed: was }, lines: [`${plain(file)} ${text}`], brief: [] }
  }
  const entry = await trustFile(call.home, file)
  return {
    value: entry,
    lines: [`Trusted ${plain(entry.file)} as it is now`, `  sha256  ${entry.sha256}`],
    brief: [],
    hints: ['When it changes it has to be trusted again.'],
  }
}
