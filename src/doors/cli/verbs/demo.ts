// `witan demo`: the first thing to try. The real protocols run, with models that answer from a script; no
// key, no network, and only the one question that a person has to answer.

import { openOrCreateHome, personName, runKitOf } from '../../../app/home/signers.ts'
import { verifyTrace } from '../../../app/traces/verify-trace.ts'
import { SCRIPTED_DEMO } from '../../../ledger/scripted.ts'
import { plain, wrap } from '../../../render/plain.ts'
import { truncationLine, verdictLine } from '../../../render/verdict.ts'
import { type Call, EXIT, locationOf, type Outcome, usage, type Verb } from '../command.ts'
import { npxHint } from '../help.ts'

const READY = [
  '',
  'Now with models. One of these is enough:',
  '  a key      export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY …)',
  '  a login    claude, codex or gemini, where you are logged in',
  '  local      ollama serve, with a model pulled',
  'Then:',
  '  witan doctor                               who is ready',
]

/** Printed before anything else; programs see it in the result. */
function announce(call: Call, ...texts: readonly string[]): void {
  if (call.flag('json') || call.flag('quiet')) return
  const lines = [SCRIPTED_DEMO, '', ...texts.map((text) => wrap(plain(text), 0, call.width)), '']
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
}

/** The record is verified at once: that is its purpose. */
async function verified(
  call: Call,
  trace: string,
  outcome: Outcome,
  next: readonly string[],
): Promise<Outcome> {
  const report = await verifyTrace(locationOf(call), trace)
  const typed = call.paint.dim(`$ witan verify ${trace}`)
  const lines = ['', typed, `${verdictLine(report, call.paint)}  ${truncationLine(report)}`]
  return {
    ...outcome,
    value: { ...outcome.value, scripted: true, verification: report.status },
    lines: [...outcome.lines, ...lines],
    hints: [...(outcome.hints ?? []), ...READY, ...next, ...npxHint()],
    exit: report.status === 'fail' ? EXIT.verificationFailed : (outcome.exit ?? EXIT.done),
  }
}

const paceOf = (call: Call): number => (call.flag('fast') ? 0 : 1)

async function councilDemo(call: Call): Promise<Outcome> {
  const [{ beginDemoCouncil }, { runAndPresent }] = await Promise.all([
    import('../../../app/demo/council-demo.ts'),
    import('../council/present.ts'),
  ])
  const home = await openOrCreateHome(locationOf(call))
  try {
    const council = await beginDemoCouncil(runKitOf(home), personName(), paceOf(call))
    announce(call, council.state.opened?.question ?? '')
    return await verified(call, council.trace, await runAndPresent(council, call, null), [
      '  witan ask "QUESTION" --context README.md   ask them',
    ])
  } finally {
    await home.close()
  }
}

async function agentsDemo(call: Call): Promise<Outcome> {
  const [{ beginDemoSession }, { driveAndPresent }] = await Promise.all([
    import('../../../app/demo/agents-demo.ts'),
    import('../agents/running.ts'),
  ])
  const home = await openOrCreateHome(locationOf(call))
  try {
    const { session, folder } = await beginDemoSession(home, paceOf(call))
    const { trace } = session
    announce(call, session.state.task?.objective ?? '', `They work on files in ${folder}/shop.`)
    return await verified(call, trace, await driveAndPresent(home, session, call), [
      '  witan agents run task.yaml                 a task of your own',
    ])
  } finally {
    await home.close()
  }
}

const ROUNDS = 24

async function exchangeDemo(call: Call): Promise<Outcome> {
  const [{ demoTerms }, { withExchange }, { runAndPresent, exchangeRunOptions }] = await Promise.all([
    import('../../../app/demo/exchange-script.ts'),
    import('../../../app/exchange/exchange.ts'),
    import('../exchange/run.ts'),
  ])
  const terms = demoTerms(personName())
  announce(call, terms.pool.prompt)
  const { trace, outcome } = await withExchange(
    locationOf(call),
    terms,
    exchangeRunOptions(call, undefined, paceOf(call)),
    async (exchange) => {
      await exchange.grant(ROUNDS)
      return { outcome: await runAndPresent(exchange, call), trace: exchange.trace }
    },
  )
  // The demo has succeeded when the pool waits for an answer.
  const hints = [...(outcome.hints ?? []), `Or join and answer: witan exchange chat ${trace}`]
  return verified(call, trace, { ...outcome, hints, exit: EXIT.done }, [
    '  witan exchange run --terms terms.yaml      a pool of your own',
  ])
}

const DEMOS: Readonly<Record<string, Verb>> = {
  council: councilDemo,
  agents: agentsDemo,
  exchange: exchangeDemo,
}

export const demo: Verb = (call) => {
  const [what = 'council'] = call.args
  const show = DEMOS[what]
  const reportOption = ['format', 'output', 'full'].find(
    (name) => call.flag(name) || call.texts(name).length > 0,
  )
  if (what !== 'council' && reportOption)
    throw usage(`--${reportOption} is for the report of a council`, `Run \`witan demo ${what}\` without it.`)
  if (!show) throw usage(`there is no demo '${what}'`, `There are: ${Object.keys(DEMOS).join(', ')}.`)
  return show(call)
}
