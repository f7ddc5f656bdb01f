// Seats kept and calls spent on the corpus of careless replies (test/replies), by a council of ours, by the AI SDK's
// `Output.object` and by LangChain's `withStructuredOutput`: opinions, reviews and reports, each served over loopback as
// what a model says. First every model says the same again no matter how often it is asked; then those who asked more than
// once are run again with models that answer correctly the second time. Nothing is timed.
//
// BENCH_IDS=1 lists the replies that a side lost or misread.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundled, root } from '../bundled.js'
import { PEERS, withoutPauses } from './peers.js'
import { byHabit, inTotal } from './table.js'

const { HABITS, inCouncils, judge, questionOf, serveReplies, shapeOf } = await bundled('replies')

const SHAPES = ['opinion', 'review', 'report']
const AT_ONCE = 8

const all = SHAPES.flatMap((shape) =>
  readFileSync(join(root, `test/replies/${shape}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line)),
)
/** Where the vendor answered with errors only there is nothing to read. */
const corpus = all.filter(({ wire }) => wire?.answers === undefined)

const sameAgain = () => null

const CLOSING = { opinion: 'summary', review: 'why', report: 'summary' }

/** The correct reply of the corpus in that shape and mode, in words of its own, since some of them are in prompts. */
const correctly = ({ shape, mode }) => {
  const isCorrect = (one) => one.shape === shape && one.mode === mode && one.habits.includes('correct')
  const value = {
    ...JSON.parse(corpus.find(isCorrect).raw),
    [CLOSING[shape]]: 'This is my answer to the end.',
  }
  return { raw: JSON.stringify(value), wire: { finish_reason: 'stop' } }
}

async function inPools(items, run) {
  const waiting = [...items]
  const worker = async () => {
    for (let item = waiting.shift(); item; item = waiting.shift()) await run(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}

async function peerOn(ask, replies, again) {
  const server = await serveReplies(replies, again)
  const fates = new Map()
  try {
    await inPools(replies, async (reply) => {
      const { id } = reply
      const value = await ask(`${server.url}/v1`, id, shapeOf(reply), questionOf(reply)).catch(
        () => undefined,
      )
      fates.set(id, judge(reply, value, server.calls(id), again))
    })
    return fates
  } finally {
    await server.close()
  }
}

const sides = {
  Witan: inCouncils,
  ...Object.fromEntries(
    Object.entries(PEERS).map(([name, ask]) => [
      name,
      (replies, again) => withoutPauses(() => peerOn(ask, replies, again)),
    ]),
  ),
}

const same = {}
const corrected = {}
for (const [name, run] of Object.entries(sides)) {
  same[name] = await run(corpus, sameAgain)
  // What would be said next makes no difference to those who asked once.
  const askedAgain = corpus.filter(({ id }) => same[name].get(id).calls > 1)
  corrected[name] = new Map([...same[name], ...(await run(askedAgain, correctly))])
}

console.log(
  [
    `${corpus.length} opinions, reviews and reports of the corpus of careless replies (${all.length - corpus.length} where the vendor answered with errors only`,
    'are left out). We wrote that corpus ourselves, from what we had found to cost seats, before the reader was written, and',
    'the reader was made to follow it: this is no held-out measure of what models write, only the same replies for all three.',
    '',
    'of: replies. kept: what the corpus says must be read was handed on. other: something else was, or something where',
    'nothing can be read. calls: requests on the wire until then. each: calls for each seat kept. A reply counts under each',
    'of its habits, and once in total. The peers check by zod and try again as they do by default.',
    '',
    'The model says the same again however often it is asked:',
    '',
    byHabit(corpus, HABITS, same),
    '',
    inTotal(corpus, same),
    '',
    'The same, but a model that is asked again answers correctly:',
    '',
    inTotal(corpus, corrected),
  ].join('\n'),
)

const idsOf = (fates, came) =>
  corpus.filter(({ id }) => fates.get(id).came === came).map(({ id, expect }) => `${id} (${expect.outcome})`)

if (process.env.BENCH_IDS)
  for (const [when, found] of Object.entries({ 'the same again': same, 'then correctly': corrected }))
    for (const [name, fates] of Object.entries(found))
      for (const came of ['lost', 'misread'])
        console.log(`\n${when}, ${name}, ${came}: ${idsOf(fates, came).join(', ')}`)
