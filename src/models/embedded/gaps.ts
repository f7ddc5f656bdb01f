// What a question leaves open, decided by lists of English words that anyone can read here: a question that uses one
// of the words of a kind is taken to speak of it. A word too many hides a gap, a word too few shows one that is filled;
// neither is a judgement of the matter.

export interface Gap {
  readonly id: string
  /** What is missing. */
  readonly lacks: string
  /** What to answer. */
  readonly ask: string
}

interface GapRule extends Gap {
  readonly spokenOf: RegExp
}

const words = (list: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${list})(?![\\p{L}\\p{N}])`, 'iu')

const RULES: readonly GapRule[] = [
  {
    id: 'WITAN-ASK-ALTERNATIVES',
    lacks: 'No alternatives are named.',
    ask: 'Which alternatives are there, doing nothing included?',
    spokenOf: words(
      'or|vs\\.?|versus|instead|rather than|alternatives?|options?|between|compared?|either|which of|over',
    ),
  },
  {
    id: 'WITAN-ASK-CONSTRAINTS',
    lacks: 'No constraints are stated.',
    ask: 'What must hold in any case, and what is ruled out?',
    spokenOf: words(
      "must(?:n't)?|cannot|can't|may not|without|at most|at least|no more than|no less than|limit(?:s|ed)?|budgets?|requir\\w+|constrain\\w+|compl(?:y|iance|iant)|licen[cs]e\\w*|mandatory|forbidden|only|never|always|has to|have to|given that|already",
    ),
  },
  {
    id: 'WITAN-ASK-CRITERION',
    lacks: 'No criterion says what would make an answer good.',
    ask: 'What matters most, and how will it be measured?',
    spokenOf: words(
      'because|so that|in order to|goals?|aim\\w*|objectives?|optimi[sz]\\w+|criteri\\w+|priorit\\w+|matters?|important|fast\\w*|slow\\w*|cheap\\w*|costs?|secur\\w+|saf(?:e|er|est|ety)|simpl\\w+|reliab\\w+|maintain\\w+|success\\w*|measur\\w+|metrics?|latency|throughput|performan\\w+|quality|readab\\w+|durab\\w+|availab\\w+',
    ),
  },
  {
    id: 'WITAN-ASK-REVERSIBILITY',
    lacks: 'Nothing says whether the decision can be taken back.',
    ask: 'How hard is it to go back, and what is lost by waiting?',
    spokenOf: words(
      'revers\\w+|irreversib\\w+|undo\\w*|undone|roll(?:ed|ing)? ?back\\w*|go(?:ing)? back|switch(?:ing)? back|migrat\\w+|temporar\\w+|permanent\\w*|experiment\\w*|pilots?|prototyp\\w+|trial|one-way|two-way|lock(?:ed)?[- ]in|breaking|deprecat\\w+',
    ),
  },
  {
    id: 'WITAN-ASK-SCALE',
    lacks: 'No scale is given.',
    ask: 'How many users, requests, records or people does it concern, now and later?',
    spokenOf: words(
      '\\d[\\d.,]*\\s?(?:[kmgt]i?b?|users?|requests?|rows?|records?|events?|files?|services?|people|developers?|engineers?|customers?|ms|qps|rps|tps|%|per)|per (?:second|minute|hour|day)|millions?|thousands?|hundreds?|dozens?|billions?|traffic|load|scal(?:e|es|ing|able|ability)|team of \\w+|small team|large team|few users',
    ),
  },
  {
    id: 'WITAN-ASK-DEADLINE',
    lacks: 'No time is given.',
    ask: 'By when is the decision needed, and how long must it last?',
    spokenOf: words(
      'deadlines?|weeks?|months?|quarters?|years?|days?|today|tomorrow|tonight|soon|urgent\\w*|immediately|until|before|releases?|launch\\w*|sprints?|q[1-4]|(?:by|in|until) (?:20\\d\\d|\\d)|monday|tuesday|wednesday|thursday|friday|january|february|march|april|june|july|august|september|october|november|december|long[- ]term|short[- ]term',
    ),
  },
]

export const GAP_IDS: readonly string[] = RULES.map(({ id }) => id)

export function gapsIn(question: string): Gap[] {
  const text = question.normalize('NFKC').slice(0, 20_000)
  return RULES.filter(({ spokenOf }) => !spokenOf.test(text)).map(({ id, lacks, ask }) => ({
    id,
    lacks,
    ask,
  }))
}

const COMMON = new Set(
  'the a an is are do does should to of in for and or how what which why when can it we i our this that be use'.split(
    ' ',
  ),
)

/** The word lists are English; of a text with hardly any of its commonest words they say little. */
export function readsAsEnglish(question: string): boolean {
  const all =
    question
      .slice(0, 20_000)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? []
  return all.filter((word) => COMMON.has(word)).length * 8 >= all.length
}
