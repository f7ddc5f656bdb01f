// A host is attached: our hooks are added to its settings beside what is there, and this home remembers what was set up.
// Detaching takes out what attaching put in, and nothing else. Open sessions are left to be closed.

import { readFile, rm, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { WitanError } from '../../ledger/errors.ts'
import { parsePolicy } from '../../tools/policy/parsed-policy.ts'
import { isProfile, type PolicyFile, profileFile } from '../../tools/policy/policy-files.ts'
import { findProgram } from '../../tools/shell/sandbox.ts'
import { homeConfig } from '../config/config.ts'
import type { Home } from '../home/home.ts'
import { filesOf, type Mode } from './attached-policy.ts'
import {
  type Attachment,
  attachmentId,
  attachmentsIn,
  type Edited,
  type Gateway,
  type HostName,
  keepAttachment,
  residentSocket,
  restoreAttachment,
  type Scope,
  termsFile,
  termsNamed,
} from './attachments.ts'
import { closedToOthers, settingsFault, writeTerms } from './for-all-users.ts'
import type { HookMeans } from './hook-command.ts'
import {
  hooksIn,
  hooksText,
  makeEdit,
  readSettings,
  restoreSettings,
  withHooks,
  writeSettings,
} from './host-settings.ts'
import { hookEntries, settingsFile, UNSEEN } from './hosts.ts'
import { ANY_WORK, type StandingOrder } from './open-attached.ts'

export interface AttachRequest {
  readonly host: HostName
  readonly scope: Scope
  /** The settings to edit, where they are not in their usual place. */
  readonly settings: string | null
  readonly mode: Mode
  /** A profile's name or a file. */
  readonly policy: string
  /** One line, or a file that holds it. */
  readonly order: string | null
  readonly tools: readonly string[]
  readonly wait: number
  /** The program that answers a hook, and its first arguments. */
  readonly program: readonly string[]
  /** False starts a process for every call. */
  readonly resident: boolean
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export interface Attached {
  readonly attachment: Attachment
  readonly backup: string | null
  /** The settings were not there before. */
  readonly isNew: boolean
  readonly unseen: readonly string[]
  /** What other users cannot use and their hooks would need. */
  readonly closed: string | null
}

export async function policyNamed(name: string): Promise<PolicyFile> {
  if (isProfile(name)) return profileFile(name)
  const text = await readFile(name, 'utf8').catch((error: Error) => {
    const next = 'Name a profile (strict, default, lenient) or a Cedar file: --policy NAME|FILE.'
    throw new WitanError('FILE_UNREADABLE', `the policy ${name} cannot be read: ${error.message}`, next)
  })
  return { name: basename(name), text }
}

export async function orderFrom(textOrFile: string | null, tools: readonly string[]): Promise<StandingOrder> {
  const allowed = tools.length > 0 ? tools : ANY_WORK.tools
  if (textOrFile === null) return { ...ANY_WORK, tools: allowed }
  const isFile = await stat(textOrFile).then(
    (entry) => entry.isFile(),
    () => false,
  )
  const objective = (isFile ? await readFile(textOrFile, 'utf8') : textOrFile).trim()
  if (objective === '') throw new WitanError('USAGE', 'the standing order is empty', 'Say it: --order "…".')
  return { objective, tools: allowed }
}

const LIMITERS: readonly (readonly [program: string, ...args: string[]])[] = [
  ['timeout', '-s', 'KILL'],
  ['gtimeout', '-s', 'KILL'],
  ['perl', '-e', 'alarm shift; exec @ARGV'],
]

/** What the system takes as the path of a socket. */
const MOST_SOCKET_PATH = 100

/** What of this machine the hooks can use; where there is no way to a resident process, each call starts a hook. */
async function hookMeans(home: string, resident: boolean, env: AttachRequest['env']): Promise<HookMeans> {
  const path = residentSocket(home)
  const socket = resident && Buffer.byteLength(path) <= MOST_SOCKET_PATH ? path : null
  const pathOf = (name: string): Promise<string | null> => findProgram(name, env.PATH ?? '')
  const curl = socket === null ? null : await pathOf('curl')
  for (const [name, ...args] of LIMITERS) {
    const program = await pathOf(name)
    if (program !== null) return { limiter: [program, ...args], curl, socket }
  }
  return { limiter: [], curl, socket }
}

function lastEdit(last: Attachment | Gateway | null): Edited | null {
  return last && last.host !== 'gateway' && last.detached === undefined ? (last.edited ?? null) : null
}

export async function attachHost(home: Home, request: AttachRequest): Promise<Attached> {
  const { host, scope, mode, wait, program, cwd, env } = request
  const file = request.settings ? resolve(cwd, request.settings) : settingsFile(host, scope, cwd, env)
  const id = attachmentId(host, file)
  const policy = await policyNamed(request.policy)
  // A policy that cannot be used is found now, and not when the first call is denied by it.
  const parsed = mode === 'gate' ? await parsePolicy(filesOf(policy)) : null
  const existing = await readSettings(file)
  const settings = existing ?? {}
  if (settings.disableAllHooks === true)
    throw new WitanError(
      'CONFIG_INVALID',
      `${file} switches all hooks off (disableAllHooks)`,
      'Remove that first.',
    )
  // Users have homes of their own, and a socket in each; what counts for all of them lies where all can read it.
  const isForAll = scope === 'managed'
  const means = await hookMeans(home.directory, request.resident && !isForAll, env)
  const terms = isForAll ? termsFile(file, id) : null
  const place = { home: isForAll ? null : home.directory, terms }
  const entries = hookEntries({ program, host, mode, id, wait, means, ...place })
  const edited = withHooks(settings, entries)
  const last = await termsNamed(home.directory, id)
  const own = (await homeConfig(home.directory))?.sections.agents
  const attachment: Attachment = {
    ...{ id, host, scope, file, mode, policy, wait },
    ...(parsed && { parsed }),
    order: await orderFrom(request.order, request.tools),
    proof: own?.approval_proof ?? 'passphrase',
    hooks: hooksText(edited),
    edited: await makeEdit(file, edited, lastEdit(last)),
    at: home.ports.now(),
  }
  // Known here before the host starts the first hook.
  await keepAttachment(home.directory, attachment)
  try {
    if (terms !== null) await writeTerms(terms, attachment)
    const { backup } = await writeSettings(file, edited, isForAll ? 0o644 : 0o600)
    const closed = isForAll ? await closedToOthers(program) : null
    return { attachment, backup, isNew: existing === null, unseen: UNSEEN[host], closed }
  } catch (error) {
    await restoreAttachment(home.directory, id, last)
    throw settingsFault(error, attachment, 'attach')
  }
}

export interface AttachedHost {
  readonly attachment: Attachment
  /** `changed`: the hooks in the settings are not those that were attached. */
  readonly hooks: 'in place' | 'changed' | 'gone' | 'unreadable'
}

export async function attachedHosts(home: string): Promise<readonly AttachedHost[]> {
  return Promise.all(
    (await attachmentsIn(home))
      .filter(({ detached }) => detached === undefined)
      .map(async (attachment) => {
        const hooks = await hooksIn(attachment.host, attachment.file)
        if (hooks === attachment.hooks) return { attachment, hooks: 'in place' as const }
        if (hooks === 'unreadable') return { attachment, hooks: 'unreadable' as const }
        return {
          attachment,
          hooks: hooks === '[]' || hooks === 'switched off' ? ('gone' as const) : ('changed' as const),
        }
      }),
  )
}

/** Takes our hooks out of the settings of these attachments: first where their user can, then where an administrator must. */
export async function detachHosts(
  home: string,
  which: readonly Attachment[],
  at: string,
): Promise<readonly string[]> {
  const isForAll = ({ scope }: Attachment): number => (scope === 'managed' ? 1 : 0)
  const userFirst = [...which].sort((a, b) => isForAll(a) - isForAll(b))
  for (const attachment of userFirst) {
    const { file } = attachment
    try {
      await restoreSettings(file, attachment.edited ?? null)
      await rm(termsFile(file, attachment.id), { force: true })
    } catch (error) {
      throw settingsFault(error, attachment, 'detach')
    }
    await keepAttachment(home, { ...attachment, detached: at })
  }
  return userFirst.map(({ file }) => file)
}
