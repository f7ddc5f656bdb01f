// The contract of minds, held by the vendors' real programs. What a program makes of its vendor's words is its own
// affair: scenarios that it does not let through are named with what it does instead.
import { describeModelContract } from '../contracts/models.ts'
import type { Vendor } from '../fakes/cli/stub.ts'
import { wordsIn } from '../fakes/scripted-server.ts'
import { openReal } from './real.ts'

const NO_HEADERS = 'the program does not pass on how long its vendor asked it to wait'
const OWN_WORDS = 'the program says it in its own words, which are tested by themselves'
const AT_THE_END = 'the program says nothing until its answer is whole: the time limit ends it'
const ITSELF = 'the program asks its model again by itself'

const everywhere = {
  'rate limit with Retry-After as seconds': NO_HEADERS,
  'rate limit with Retry-After as date': NO_HEADERS,
  'endless reply': AT_THE_END,
}

/** They take seconds to start, more on a machine with other work, and the last one longest. */
const PACE: Readonly<Record<Vendor, number>> = { claude: 4, codex: 4, gemini: 10 }

function contract(vendor: Vendor, notApplicable: Readonly<Record<string, string>>): void {
  describeModelContract(
    `the real ${vendor}`,
    async ({ script }) => {
      const real = await openReal(vendor, script)
      return {
        mind: real.mind,
        seen: () => real.asked().map(({ body }) => wordsIn(body)),
        leftovers: () => real.leftovers(),
        dispose: () => real.dispose(),
      }
    },
    { ...everywhere, ...notApplicable },
    PACE[vendor],
  )
}

contract('claude', {
  'usage unknown': 'every message of its wire carries its usage',
  'empty answer': ITSELF,
  'cut off': ITSELF,
  'error: billing': OWN_WORDS,
  'error: model_not_found': OWN_WORDS,
  'error: context_too_long': OWN_WORDS,
})
contract('codex', {
  refusal: 'the program shows a refusal as a turn without a message',
  'error: billing': OWN_WORDS,
  'error: rate_limit': OWN_WORDS,
  'error: context_too_long': OWN_WORDS,
  'error: server': OWN_WORDS,
  garbage: 'the program takes it for a broken connection',
  'truncated reply': 'the program takes it for a broken connection',
})
contract('gemini', {
  refusal: 'the program does not say why its vendor stopped',
  'cut off': 'the program does not say so; the count of tokens tells, which this script leaves out',
})
