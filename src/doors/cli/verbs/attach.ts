// The commands of `witan attach`: hosts are attached, listed and detached, and their sessions are closed.

import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newKeyFor } from '../../../app/agents/pending.ts'
import { type AttachedHost, attachedHosts, attachHost, detachHosts } from '../../../app/attach/attach.ts'
import { attachmentsIn, HOSTS, type Scope } from '../../../app/attach/attachments.ts'
import { type Closed, closeAttached, closeIdle } from '../../../app/attach/close-session.ts'
import { refuseTemporaryInstall } from '../../../app/attach/install-place.ts'
import { withHome } from '../../../app/home/home.ts'
import { openOrCreateHome } from '../../../app/home/signers.ts'
import { findTrace } from '../../../app/traces/trace-name.ts'
import { durationIn } from '../../../ledger/clock.ts'
import { plain } from '../../../render/plain.ts'
import { type Call, EXIT, locationOf, type Outcome, usage, type Verb } from '../command.ts'

const WAIT_S = 50

/** The program that answers a hook, as a host can start it: beside this program. */
function hookProgram(): readonly string[] {
  const [, started = ''] = process.argv
  const program = [process.execPath, join(dirname(realpathSync(started)), 'hook.cjs')]
  refuseTemporaryInstall([started, ...program])
  return program
}

function scopeOf(call: Call): Scope {
  if (call.flag('project') && call.flag('managed'))
    throw usage('--project and --managed exclude each other', 'Give one of them.')
  return call.flag('managed') ? 'managed' : call.flag('project') ? 'project' : 'user'
}

const MODES = { gate: 'gated', record: 'recorded, not gated' } as const

const standingLines = ({ attachment, hooks }: AttachedHost): readonly string[] => [
  `${attachment.host}: ${MODES[attachment.mode]}, policy ${plain(attachment.policy.name)}; hooks ${hooks} in ${plain(attachment.file)}`,
  `  order: ${plain(attachment.order.objective.replaceAll(/\s+/g, ' '))}`,
]

async function status(call: Call): Promise<Outcome> {
  const attached = await attachedHosts(call.home)
  return {
    value: {
      attached: attached.map(({ attachment: { policy, parsed: __, hooks: _, ...rest }, hooks }) => ({
        ...rest,
        policy: policy.name,
        hooks,
      })),
    },
    lines: attached.length > 0 ? attached.flatMap(standingLines) : ['no host is attached'],
    exit: EXIT.done,
    hints: attached.some(({ hooks }) => hooks !== 'in place')
      ? ['Attach it again to put the hooks back.']
      : [],
  }
}

/** Edits the settings of a host. */
export const attach: Verb = async (call) => {
  if (call.args[0] === 'status') return status(call)
  const host = HOSTS.find((name) => name === call.args[0])
  if (!host) throw usage('no such host', 'There are: claude, codex, gemini.')
  if (call.flag('gate') && call.flag('record'))
    throw usage('--gate and --record exclude each other', 'Give one of them.')
  const program = hookProgram()
  const home = await openOrCreateHome(locationOf(call))
  try {
    const { attachment, backup, isNew, unseen, closed } = await attachHost(home, {
      ...{ host, scope: scopeOf(call), settings: call.text('settings') },
      mode: call.flag('gate') ? 'gate' : 'record',
      policy: call.text('policy') ?? 'lenient',
      ...{ order: call.text('order'), tools: call.texts('tool'), wait: call.count('wait') ?? WAIT_S },
      ...{
        program,
        resident: !call.flag('no-resident'),
        cwd: process.cwd(),
        env: process.env,
      },
    })
    const { policy, parsed: __, hooks: _, ...value } = attachment
    const trust =
      host === 'codex' && attachment.scope !== 'managed'
        ? ['Codex runs only hooks that you trusted: start codex and trust them with /hooks.']
        : []
    return {
      value: { ...value, policy: policy.name, backup, unseen, closed_to_others: closed },
      lines: [
        `${host} is attached: its tool calls are ${MODES[attachment.mode]}`,
        `changed: ${plain(attachment.file)}${isNew ? ' (new)' : ''}${backup === null ? '' : `; as it was: ${plain(backup)}`}`,
        ...(closed === null
          ? []
          : [
              `other users cannot use ${plain(closed)}: their hooks cannot start, and a gated call is denied`,
            ]),
        'not seen:',
        ...unseen.map((gap) => `  ${gap}`),
      ],
      brief: [attachment.id],
      hints: [
        ...trust,
        ...(closed === null
          ? []
          : ['Install Witan where all users can use it (npm install -g), and attach again.']),
        ...(attachment.mode === 'gate'
          ? [
              `What waits for a person: witan agents pending. Who decides: ${newKeyFor('NAME', attachment.proof)}`,
            ]
          : [`To hold calls until they are allowed: witan attach ${host} --gate`]),
        `Sessions: witan list. To undo it: witan detach ${host}`,
      ],
    }
  } finally {
    await home.close()
  }
}

/** Removes our hooks again. */
export const detach: Verb = async (call) => {
  const all = await attachmentsIn(call.home)
  const which = all.filter(({ host, detached }) => host === call.args[0] && detached === undefined)
  if (which.length === 0)
    throw usage(`${call.args[0]} is not attached to this home`, 'See `witan attach status`.')
  const files = await detachHosts(call.home, which, new Date().toISOString())
  return {
    value: { detached: which.map(({ id }) => id), files },
    lines: files.map((file) => `took the hooks out of ${plain(file)}`),
    brief: [],
    hints: ['Sessions that are open: witan agents close --idle 0m'],
  }
}

const closedLine = ({ trace, status: phase, calls, gaps, proven }: Closed): string =>
  `${trace} ${phase}: ${proven[0]?.text ?? `${calls} calls, ${gaps} gaps`}`

function minutesIn(text: string): number {
  const ms = durationIn(text)
  if (ms === null) throw usage(`--idle ${text} is no duration`, 'Give a number with s, m or h: 90m, 12h.')
  return ms / 60_000
}

/** Closes attached sessions. */
export const close: Verb = (call) =>
  withHome({ ...locationOf(call), mode: 'write' }, async (home) => {
    const [name] = call.args
    const idle = call.text('idle')
    if ((name === undefined) === (idle === null))
      throw usage('name a trace, or give --idle TIME', 'See `witan list`.')
    const because = call.text('because')
    const why = because === 'ended' || because === 'idle' ? because : 'closed'
    const closed =
      name === undefined
        ? await closeIdle(home, minutesIn(idle ?? ''))
        : [await closeAttached(home, await findTrace(home.store, name), why)]
    const failed = closed.some(({ status: phase }) => phase === 'failed')
    return {
      value: { closed },
      lines:
        closed.length > 0 ? closed.map((one) => plain(closedLine(one))) : ['no session is idle for so long'],
      brief: closed.map(({ trace }) => trace),
      exit: failed ? EXIT.verificationFailed : EXIT.done,
      hints: closed.map(
        ({ trace }) => `witan export ${trace} --html -o session.html writes a page that verifies itself.`,
      ),
    }
  })

/** A summary of what attached agents did. */
export const summary: Verb = (call) =>
  withHome({ ...locationOf(call), mode: 'read' }, async (home) => {
    const [{ attachedSummary }, { summaryLines }] = await Promise.all([
      import('../../../app/attach/summary.ts'),
      import('../../../render/attached-summary.ts'),
    ])
    const value = await attachedSummary(home, call.text('since'))
    const { open } = value.total
    return {
      value,
      lines: summaryLines(value, call),
      hints: open > 0 ? [`${open} not closed: witan agents close --idle 12h`] : [],
    }
  })
