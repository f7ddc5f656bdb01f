// `witan prune`: erases the content of old traces, and records that. A person at a terminal sees what would
// be erased and is asked; a script passes --yes.

import { pruneHome } from '../../../app/traces/prune-home.ts'
import { sinceMoment } from '../../../app/traces/since.ts'
import { prunedLines, pruneLines } from '../../../render/pruned.ts'
import { locationOf, usage, type Verb } from '../command.ts'
import { isAtTerminal, saysYes } from '../terminal.ts'

export const prune: Verb = async (call) => {
  const asks = isAtTerminal() && !call.flag('json') && !call.flag('quiet')
  const { 'dry-run': dry, yes } = { 'dry-run': call.flag('dry-run'), yes: call.flag('yes') }
  const reason = call.text('reason') ?? ''
  if (!dry && reason.trim() === '')
    throw usage(
      'a reason is needed: it is recorded permanently',
      'Give it with --reason, or look with --dry-run.',
    )
  const before = call.text('before') ?? ''
  sinceMoment(before, Date.now(), '--before')
  if (!dry && !yes && !asks)
    throw usage('no terminal to ask on', 'Look with --dry-run; then give --yes to erase without asking.')
  call.progress('Looking…')
  const done = await pruneHome(locationOf(call), {
    before,
    unfinished: call.flag('unfinished'),
    reason,
    by: call.text('by'),
    approve: async (plan) => {
      if (dry || yes) return yes && !dry
      process.stderr.write(`\r\u001b[2K${pruneLines(plan).join('\n')}\n\n`)
      if (await saysYes('Erase all of this for good? [y/N] ')) return true
      throw usage('nothing was erased', 'Answer yes to erase it.')
    },
  })
  return {
    value: done,
    lines: prunedLines(done),
    brief: done.traces.map(({ trace }) => trace),
    hints: done.erased
      ? [
          'Copies, exports and backups made before still hold it.',
          ...(done.store === 'postgres'
            ? ["The server's write-ahead log and backups may hold it for a while."]
            : []),
          'What is left verifies and says what was erased: witan verify TRACE',
        ]
      : [],
  }
}
