// Words that tell a request from talk about one. A sentence encoder hears what a sentence is about and hardly hears
// a "not", who asks whom, or that the thing to be restarted is a router. Each hint is a yes or no about one sentence;
// what a hint is worth is learned from the exemplars, never set here.

const words = (...parts: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${parts.join('|')})(?![\\p{L}\\p{N}])`, 'u')

const THING =
  '(?:terms?|rules?|prompts?|specs?|specification|conditions|protocol|instructions|arrangement|agreement|charter|' +
  'guidelines|mandate|brief|set-?up|ground rules|format|deal|bargain|policy|role|mandates|parameters|sampling(?: rule)?|framework|constraints|limits?|schedule|interval)'
const HERE =
  '(?:exchange|pool|conversation|discussion|dialogue|deliberation|thread|session|run|branch|talk|debate|whole thing|' +
  'proceedings|us|everything|all of (?:this|it)|this|it all|experiment|transcript|context|window)'

/** Words for beginning again, whatever it is that begins. */
export const AGAIN = words(
  're-?start(?:s|ed|ing)?',
  're-?boot(?:s|ed|ing)?',
  're-?set(?:s|ting)?',
  'reinit\\w*',
  're-?initiali[sz]\\w*',
  're-?run(?:s|ning)?',
  'redo(?:ing|ne)?',
  'recommenc\\w*',
  'relaunch\\w*',
  'reconven\\w*',
  'reconstitut\\w*',
  'reseed\\w*',
  '(?:start|begin|beginning|begun|began|starting|started|go|going|try|run|do|doing|play|build|write|open|begins|starts)(?: \\S+){0,3} (?:over|again|anew|afresh|once more|fresh|a second time|de novo)',
  '(?:from|to|at) (?:the )?(?:scratch|zero|nothing|top|beginning|start|outset|very beginning|square one|first (?:round|message|question|word)|round (?:one|1|0|zero)|initial state|opening(?: \\w+)?)',
  '(?:clean|blank|fresh|new|empty) (?:slate|page|sheet|start|beginning|board|whiteboard|table|canvas|pool|room|run|thread|branch|exchange|session|conversation|discussion|window)',
  '(?:another|second|new|fresh|different) (?:start|beginning|try|go|attempt|chance|first round|round one|opening|one)',
  '(?:wip|clear|empt|scrap|eras|purg|flush|tear|throw|discard|drop)(?:e|y|es|ed|ing|s|ping)?(?: \\S+){0,3} (?:slate|board|pool|all|everything|it|this|exchange|conversation|discussion|thread|state|table|away|up|out)',
  'do-?over',
  'roll(?:ed|ing)?(?: \\S+){0,3} back|rollback|rewind|revert',
  'back to (?:the )?(?:square one|round \\w+|start|beginning|first|zero|drawing board|outset|root)',
)

/** Words for changing what was agreed. */
export const TERMS = words(
  're-?negotiat\\w*',
  `(?:chang|amend|revis|rewrit|rewrot|alter|replac|re-?open|redraft|redraw|reconsider|re-?think|adjust|updat|swap|modif|re-?work|renew|withdraw|draft|settl|bargain|discuss|negotiat|overhaul|loosen|relax|lift|widen|remov)\\w*(?: \\S+){0,4} ${THING}`,
  `(?:new|different|other|better|fresh|revised|amended|alternative|another|fairer|clearer|sharper) (?:set of )?${THING}`,
  `${THING}(?: \\S+){0,4} (?:changed|amended|revised|rewritten|altered|replaced|re-?opened|redrawn|renegotiated|negotiated|discussed|redone|reconsidered|revisited|removed|lifted|relaxed|loosened|widened|withdrawn)`,
  '(?:they|it|these|those|them|this) (?:\\S+ ){0,2}(?:rewritten|amended|revised|reopened|renegotiated|redrawn|altered|replaced|loosened|done differently)',
  `${THING}(?: \\S+){0,3} on the table|on the table again|back on the table`,
)

const ASKING = words(
  'please',
  'kindly',
  '(?:i|we)(?: \\S+){0,2} (?:ask|request|propose|urge|demand|petition|call|appeal|recommend|suggest|move|vote|beg|plead|support|favou?r|second|insist|apply|submit|invoke)',
  '(?:i|we)(?: \\S+){0,2} (?:want|wish|need|hope|prefer|should like|would like|would love|would rather|would welcome|long)',
  "(?:i|we)['’]d (?:\\S+ )?(?:like|love|rather|prefer|ask|welcome|appreciate|be)",
  'asking (?:for|that|you|the)|requesting|calling for|request(?:ed)? (?:is|that)|my (?:request|proposal|suggestion|vote|plea|wish|hope|preference|recommendation)|our (?:request|wish|proposal)',
)
const SUGGESTING = words(
  "let us|let['’]s|lets",
  '(?:can|could|may|might|shall|should|will|would) (?:we|i|you|the observer|someone|somebody|anyone|it|this)',
  '(?:we|you|the observer|it|this|exchange|pool) (?:should|must|ought|need(?:s)? to|have to|has to|had better|would do well)',
  "why (?:not|don['’]t we)|how about|what if|what about|is it possible|isn['’]t it|shouldn['’]t we|wouldn['’]t",
  "(?:it is|it['’]s|high|about)? ?time (?:to|for|we)",
  'with your permission|if the observer|observer',
)
const REFUSING = words(
  "not|\\w+n['’]t|cannot|no|never|nobody|none|neither|nor|without|against",
  'oppos\\w*|refus\\w*|reject\\w*|resist\\w*|disagree\\w*|declin\\w*|withdraw|take back|ignore|avoid',
)
const STAYING = words(
  'rather than|instead of|keep|keeps|keeping|stay|staying|continue|continuing|carry on|go on|going on|move on|press on|hold|finish|leave|as (?:it|they) (?:is|are)|unchanged|same terms',
)
const REGRETTING = words(
  'mistake|foolish|premature|unhelpful|pointless|regret|hate|lose|waste|wrong|tempting|temptation|distract|throw away|no need|no reason|no point|too early|fine|content|happy with',
)
const REPORTING = words(
  'you (?:ask|say|want|propose|suggest)|many (?:ask|want)|although|though|said|says|wrote|writes|asked|asks|proposed|requested|called|mentions?|mentioned|according|reported|told|granted|declined|honou?red|previous(?:ly)?|earlier|yesterday|last (?:week|year|branch|pool|time)',
  '(?:was|were|been|being|is|are|be|get|gets|got) (?:re-?start\\w*|reset|rebooted|renegotiated|rolled back|amended)',
  'others?|some (?:minds?|say|of|pools?|people)|someone|somebody|people|they|he|she|his|her|their|mind (?:two|three|four|\\d)',
)
const PONDERING = words(
  'what does|what is|means?|meaning|whether|wonder|interesting|concept|idea|word|phrase|notion|theory|history|suppose|imagine|hypothetical\\w*|question of|allows?|difference|why do|how would|who|philosoph\\w*|myth|protocol',
)
const MACHINE = words(
  'servers?|routers?|modems?|containers?|pods?|nodes?|clusters?|databases?|jobs?|builds?|ci|pipeline|deploy\\w*|kernel|firmware|disks?|drives?|laptops?|computers?|machines?|phones?|printers?|devices?|services?|process(?:es)?|workers?|daemons?|passwords?|accounts?|cache|cookies|page|browsers?|config\\w*|simulation|training|epochs?|learning rate|compiler|tests?|sensor|switch|counter|scheduler|game|engine|host|gateway|vpn|crawler|experiment|import|download|release|update|software|app|system|network|cluster|boards?|weights|thermostat|client|queue|script|timer|checkpoint|snapshot|backup|crash\\w*',
)
const ELSEWHERE = words(
  'game|film|movie|season|match|race|team|band|orchestra|choir|heart|diet|therapy|life|career|divorce|war|peace|treaty|country|countries|government|minister|company|firm|bank|lease|rent|wage|union|supplier|mortgage|insurance|debt|trade|contract|school|museum|factory|airline|flights|garden|forest|orchard|novel|letter|chapter|story|recipe|soup|town|city|village|patient|child(?:ren)?|brother|sister|mother|father|grandfather|market',
)
const ARGUMENT = words(
  'arguments?|proofs?|premises?|definitions?|examples?|sentences?|points?|claims?|questions?|topics?|subjects?|themes?|hypothes[ie]s|objections?|analog(?:y|ies)|equation|steps?|readings?|angle|case|list|lemma|axioms?|principles|answer|vocabulary|ideas?|words?|order',
)
const OURS = words(HERE, 'observer', 'auditor', 'rounds?', 'minds', 'audits?', 'we', 'our')
const OUTSET =
  /^(?:\W*(?:so|then|and|ok|okay|now|yes|observer|please|honestly|just)\W+)*(?:re-?start|reset|re-?boot|start|begin|wipe|clear|scrap|roll|take us|bring us|give us|throw|drop|purge|flush|undo|redo|renegotiate|change|reopen|end|stop|kill|empty|close|return|reinit\w*|reload|re-?run|burn|turn|let (?:us|this|the|it|all)|let['’]s|back|again|fresh|new|clean)(?!\p{L})/u
const QUOTING = /["“”«»]|(?<![\p{L}])['‘][^'’]{6,}['’]/u
const ASKED = /[?？]/u
export const FOREIGN_AGAIN =
  /neu (?:an|be|ge|aus|star|verhand)|von vorne?|neustart|noch einmal|neu zu|recommen[cç]|repart\w+ (?:de z|sur)|red[ée]marr|ren[ée]goc|de nuevo|reinici|desde (?:el )?(?:principio|cero)|de cero|nuev[ao]s (?:reglas|t[ée]rminos|condiciones)|nouvelles? (?:bases|r[èe]gles|conditions)|d['’]autres r[èe]gles|ricominci|da capo|dall['’]inizio|rinegozi|nuove (?:regole|condizioni)|recome[cç]|do (?:zero|in[íi]cio)|reneg|novas regras|opnieuw|nieuwe (?:regels|voorwaarden)|andere(?:n)? (?:regeln|regels|bedingungen)|最初から|やり直|リセット|再起動|重新|重来|再来|重启|重谈|再交渉|заново|сначала|с начала|перезапус|других правил|od nowa|börja\w* om|från början|다시 시작|من جديد|ripart\w+ da|relanc|volver a empezar|otra vez|changeons|cambiar las reglas|andere regels/u
const FOREIGN_NOT =
  /(?<!\p{L})(?:nicht|kein\w*|gegen|ne|pas|no|non|n[ãa]o|niet|geen|нет|не|нельзя|nie|inte)(?!\p{L})|ない|ません|不/u
const FOREIGN_ASKING =
  /(?<!\p{L})(?:bitte|m[öo]chte|lasst|k[öo]nnen|s['’]il|demande|voudrais|propose|pouvons|pido|quiero|por favor|podemos|propongo|vorrei|chiedo|proporrei|per favore|pe[cç]o|quero|vamos|sugiro|wil|laten|stel|ik|давайте|прошу|предлагаю|sugiero|solicito|souhaite|wollen|bitten|schlage|vraag|prosz[ęe]|vill)(?!\p{L})|ましょう|たい|ください|希望|请|吧|我想|应该|합시다|لنبدأ/u

/** Answers a question or a call with a no, or with contentment. */
const DENYING =
  /^(?:\W*(?:and|but|well|yet|still|so)\W+)*(?:no|nope|not|never|hardly|why|i (?:do not|don['’]t|did not|think not|disagree|am not|would (?:rather )?not|wouldn['’]t|see no|prefer|like|say no|am (?:content|fine|happy|against|staying|busy))|my (?:answer|wish|view)|all is well|things are|it is (?:going|fine)|we (?:are|can|have)|let (?:us|it|them|the others))(?!\p{L})/u
/** The speaker begins a thought again, or proposes to speak of something. */
const OWN_WORDS = words(
  "(?:let me|allow me|i will|i['’]ll|i must|i should|i shall|i want to|i['’]d like to|to) (?:start|begin|try|go|rephrase|re-?start|redo|take|correct)",
  'my (?:thought|point|answer|argument|explanation|calculation|sentence|example|view|claim|message)',
)
const GENERAL =
  /^(?:some|most|every|each|many|any|those|no|people|a|an|all) (?:pools?|minds?|exchanges?|who|restart|reset|mind|request|one)|^(?:restart|reset|request|call)s? (?:are|is|was|were|for|to|messages|requests)|^(?:there|to \w+ is|asking|starting|beginning)/u

const HINTS: Readonly<Record<string, RegExp>> = {
  again: AGAIN,
  terms: TERMS,
  asking: ASKING,
  suggesting: SUGGESTING,
  refusing: REFUSING,
  staying: STAYING,
  regretting: REGRETTING,
  reporting: REPORTING,
  pondering: PONDERING,
  machine: MACHINE,
  elsewhere: ELSEWHERE,
  argument: ARGUMENT,
  ours: OURS,
  outset: OUTSET,
  quoting: QUOTING,
  asked: ASKED,
  foreignAgain: FOREIGN_AGAIN,
  foreignNot: FOREIGN_NOT,
  foreignAsking: FOREIGN_ASKING,
  ownWords: OWN_WORDS,
  denying: DENYING,
  general: GENERAL,
}

export type Hints = Readonly<Record<string, boolean>>

const CORES = [AGAIN, TERMS, FOREIGN_AGAIN]
const BREAK = /[,;:—–()]|(?<=\s)(?:but|because|so|and|since|while|if|unless|when)(?=\s)/u
const NEAR = 7
/** What follows names a thing, as in "restart the …". */
const OBJECT = /^(?:the|an?|my|your|his|her|its|their|that|each|every|one|another)(?!\p{L})/u
const OURS_NAMED = words(
  HERE,
  THING,
  'rounds?',
  'observer',
  'auditor',
  'prompts?',
  'pools?',
  'slate',
  'board',
  'state',
  'minds?',
)
/** The act itself is what the sentence judges: "starting over would …". */
const JUDGED =
  /^(?:\W*(?:but|and|yet|no|still)\W+)?(?:re-?starting|starting|beginning|resetting|renegotiating|going back|rolling|wiping|erasing|an? (?:full |complete )?(?:restart|reset|fresh start|new beginning|do-over)|new (?:terms|rules)|the (?:restart|reset))(?!\p{L})(?: \S+){0,4} (?:would|is|was|has|can|will|may|might|means|takes|won['’]t|won|wouldn['’]t|isn['’]t|costs?)(?!\p{L})/u

const NEGATED = words(
  "not|\\w+n['’]t|cannot|no|never|nobody|none|neither|nor|without|against|than|nothing|hardly|far from|instead of|longer",
  'oppos\\w*|refus\\w*|reject\\w*|resist\\w*|disagree\\w*|declin\\w*|withdraw\\w*|take back|ignore|avoid|hate|sorry|regret|mistake|foolish|wrong|unwise|premature|dread|fear|turned down|stand by|counsel|caution|relieved|glad',
)
const CONDEMNED = words(
  "not|\\w+n['’]t|no|nothing|never|reject\\w*|mistake|premature|foolish|wrong|cost|lose|unwise|unnecessary|needless|waste|resisted|refused|ignored|declined|regret|distract|mistaken|pointless|worse",
)

/** Where the words for beginning again or for other terms stand, the earliest of them; null when there are none. */
function coreOf(
  plain: string,
): { readonly before: string; readonly core: string; readonly after: string } | null {
  const matches = CORES.map((pattern) => pattern.exec(plain)).filter((match) => match !== null)
  if (matches.length === 0) return null
  const first = matches.reduce((a, b) => (b.index < a.index ? b : a))
  const before = plain.slice(0, first.index).split(BREAK).at(-1) ?? ''
  const after = plain.slice(first.index + first[0].length).split(BREAK)[0] ?? ''
  return {
    before: before
      .split(/\s+/u)
      .slice(-NEAR - 1)
      .join(' '),
    core: first[0],
    after: after.split(/\s+/u).slice(0, NEAR).join(' '),
  }
}

function around(plain: string): Hints {
  const place = coreOf(plain)
  const near = (pattern: RegExp, part: 'before' | 'core' | 'after'): boolean =>
    place !== null && pattern.test(place[part])
  return {
    negatedBefore: near(NEGATED, 'before'),
    condemnedAfter: near(CONDEMNED, 'after'),
    askingBefore: near(ASKING, 'before'),
    suggestingBefore: near(SUGGESTING, 'before'),
    reportingBefore: near(REPORTING, 'before'),
    ponderingBefore: near(PONDERING, 'before'),
    opensWith: place !== null && place.before.trim() === '' && !JUDGED.test(plain),
    machineNear: near(MACHINE, 'after') || near(MACHINE, 'before') || near(MACHINE, 'core'),
    elsewhereNear: near(ELSEWHERE, 'after') || near(ELSEWHERE, 'before') || near(ELSEWHERE, 'core'),
    argumentNear: near(ARGUMENT, 'after') || near(ARGUMENT, 'core'),
    oursNear: near(OURS, 'after') || near(OURS, 'before') || near(OURS, 'core'),
    endsThere: place !== null && /^\W*$/u.test(place.after),
    objectElsewhere: place !== null && OBJECT.test(place.after.trim()) && !OURS_NAMED.test(place.after),
    judged: JUDGED.test(plain),
    invited:
      /(?:why (?:do|are|should|would)(?:n['’]t)? we|(?:should|would|is|are|could|can)n['’]t (?:we|it|now|this|there))/u.test(
        plain,
      ),
  }
}

export function hintsOf(sentence: string): Hints {
  const plain = sentence.normalize('NFC').toLowerCase()
  const hints = Object.entries(HINTS).map(([name, pattern]) => [name, pattern.test(plain)] as const)
  return { ...Object.fromEntries(hints), ...around(plain) }
}
