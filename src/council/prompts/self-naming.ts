// Removes from a member's text where it says in the first person which model it is or who made it ("As
// Claude, I …", "Ich bin GPT-5"). Statements about models stay: a council may be asked which one to use. A
// rule of the edition, since verifiers build prompts again: a released version does not change. Every
// repetition is limited, so that the time grows linearly with the text.

const NAMES =
  'Claude|Chat[\\s-]?GPT|GPT|o[1-9](?:-mini|-pro)?|Gemini|Gemma|Bard|Llama|Mistral|Mixtral|Magistral|Grok|DeepSeek|' +
  'Qwen|QwQ|Kimi|GLM|ChatGLM|Copilot|Codex|Phi|Command[\\s-][AR]\\+?|Jamba|Nova|Granite|MiniMax|Doubao|Ernie|Hunyuan|' +
  'Nemotron|Клод|Гемини|克劳德|通义千问|文心一言|豆包|クロード|클로드|كلود|क्लॉड'
const MAKERS =
  'Anthropic|Open\\s?AI|Google(?:\\sDeepMind)?|DeepMind|Meta(?:\\sAI)?|Mistral(?:\\sAI)?|xAI|DeepSeek|Alibaba(?:\\sCloud)?|' +
  'Moonshot(?:\\sAI)?|Microsoft|Amazon|Cohere|Zhipu(?:\\sAI)?|NVIDIA|IBM|Baidu|Tencent|ByteDance|阿里云?|百度|字节跳动'
const VERSION =
  '(?:[\\s-]?(?:v?\\d+(?:[.:]\\d+)*[a-z]{0,2}(?![\\p{L}\\p{N}])|opus|sonnet|haiku|pro|flash|ultra|mini|nano|turbo|large|small|lite|instruct|codex|code|thinking|preview|chat|coder|max)(?![\\p{L}]))*'

const AUTHOR = '[a member]'
const MAKER = '[its maker]'

const START = '(?<![\\p{L}\\p{N}])'
/** The name ends here, and is not part of another word: no "Claude's", no "Gemini-based". */
const END = "(?![\\p{L}\\p{N}]|['’]\\p{L}|-\\p{L})"
const I = "(?<![\\p{L}\\p{N}])(?:I|I['’]\\p{L}+|me|my|mine|myself)(?![\\p{L}\\p{N}'’])"
const SENTENCE = '[^.!?\\n。！？]'

/** What comes before the speaker's name, language by language: "I am", "my name is", "speaking as". */
const BEFORE = [
  "I\\s{1,4}am|I['’]m|my\\s{1,4}name\\s{1,4}is|call\\s{1,4}me|I\\s{1,4}speak\\s{1,4}as|(?:speaking|writing|answering|responding|replying)\\s{1,4}(?:here\\s{1,4})?as|in\\s{1,4}my\\s{1,4}(?:role|capacity)\\s{1,4}as|I,",
  'ich\\s{1,4}bin|mein\\s{1,4}Name\\s{1,4}ist|ich\\s{1,4}hei(?:ß|ss)e|hier\\s{1,4}spricht|ich,',
  "je\\s{1,4}suis|je\\s{1,4}m['’]appelle|mon\\s{1,4}nom\\s{1,4}est|moi,|en\\s{1,4}tant\\s{1,4}que|en\\s{1,4}ma\\s{1,4}qualité\\s{1,4}de",
  '(?:yo\\s{1,4})?soy|me\\s{1,4}llamo|mi\\s{1,4}nombre\\s{1,4}es|yo,|en\\s{1,4}calidad\\s{1,4}de|en\\s{1,4}mi\\s{1,4}papel\\s{1,4}de',
  'io\\s{1,4}sono|mi\\s{1,4}chiamo|il\\s{1,4}mio\\s{1,4}nome\\s{1,4}è|io,|in\\s{1,4}qualità\\s{1,4}di|in\\s{1,4}quanto',
  '(?:eu\\s{1,4})?sou|(?:eu\\s{1,4})?me\\s{1,4}chamo|chamo-me|(?:o\\s{1,4})?meu\\s{1,4}nome\\s{1,4}é|eu,|na\\s{1,4}qualidade\\s{1,4}de',
  'ik\\s{1,4}ben|ik\\s{1,4}heet|mijn\\s{1,4}naam\\s{1,4}is|ik,',
  'jag\\s{1,4}är|jag\\s{1,4}heter|jeg\\s{1,4}er|jeg\\s{1,4}h(?:eter|edder)',
  'jestem|nazywam\\s{1,4}się|ja,|jako|jsem|jmenuji\\s{1,4}se',
  'я\\s{0,4}[—–-]?|меня\\s{1,4}зовут|будучи|мене\\s{1,4}звати',
  'ben|benim\\s{1,4}adım|أنا|اسمي|بصفتي',
].join('|')
const ARTICLE =
  '(?:the\\s{1,4}|an?\\s{1,4}|o\\s{1,4}|a\\s{1,4}|das\\s{1,4}|il\\s{1,4}|el\\s{1,4}|le\\s{1,4})?'

/** A clause that names itself and continues about itself. */
const AS = [
  { word: 'as', after: `(?=\\s{0,4},${SENTENCE}{0,300}?${I}|\\s{1,4}${I})` },
  {
    word: 'als',
    after:
      '(?=\\s{1,4}\\p{L}+\\s{1,4}(?:ich|ik)(?![\\p{L}])|\\s{0,4},[^.!?\\n]{0,300}?(?<![\\p{L}])(?:ich|mich|mir|mein\\p{L}*|ik|mij|mijn)(?![\\p{L}]))',
  },
  {
    word: 'som',
    after:
      '(?=\\s{1,4}\\p{L}+\\s{1,4}(?:jag|jeg)(?![\\p{L}])|\\s{0,4},[^.!?\\n]{0,300}?(?<![\\p{L}])(?:jag|jeg)(?![\\p{L}]))',
  },
  { word: 'com[oe]', after: `(?=\\s{0,4},\\s{0,4}(?!(?:el|la|il|o|a)?\\s{0,4}(?:${NAMES})))` },
  { word: 'как', after: '(?=\\s{0,4},[^.!?\\n]{0,300}?(?<![\\p{L}])(?:я|мне|мой|моя|моё|мои)(?![\\p{L}]))' },
] as const

/** The first person between a sentence's start and who made the speaker. */
const MADE_BY =
  '(?:trained|made|built|developed|created|designed)\\s{1,4}(?:by|at)|(?:entraîné|développé|créé|conçu)e?\\s{1,4}par|(?:entrenad|desarrollad|cread)[oa]\\s{1,4}por|(?:addestrat|sviluppat|creat)[oa]\\s{1,4}da|(?:treinad|desenvolvid|criad)[oa]\\s{1,4}(?:pela|pelo|por)|von'
const SELF =
  "I\\s{1,4}am|I['’]m|I\\s{1,4}was|I\\s{1,4}have\\s{1,4}been|I['’]ve\\s{1,4}been|as\\s{1,4}an?\\s{1,4}(?:AI|assistant|(?:large\\s{1,4})?language\\s{1,4}model)|ich\\s{1,4}bin|ich\\s{1,4}wurde|als\\s{1,4}(?:eine?\\s{1,4})?(?:von|KI)|je\\s{1,4}suis|j['’]ai\\s{1,4}été|(?:yo\\s{1,4})?soy|fui|he\\s{1,4}sido|sono|sou|fui"

interface Rule {
  readonly pattern: RegExp
  readonly instead: string
}

/** The longest first, so that none is taken for a part of itself. */
function namesWith(models: readonly string[]): string {
  const quoted = models.map((model) => model.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return [...quoted.sort((a, b) => b.length - a.length), NAMES].join('|')
}

/** Only the name is removed; the text before and after it is only matched. */
function rulesFor(models: readonly string[]): readonly Rule[] {
  const names = namesWith(models)
  const aside = `(?:\\s{0,4}\\([^()\\n]{0,80}?(?:${MAKERS}|${names})[^()\\n]{0,40}\\))?`
  const who = `(?:(?:${MAKERS})(?:['’]s)?\\s{1,4})?(?:${names})${VERSION}${aside}(?:,?\\s{1,4}(?:made\\s{1,4}|built\\s{1,4}|trained\\s{1,4}|developed\\s{1,4}|created\\s{1,4})?(?:by|from|von|par|por|da|de|van|od|от)\\s{1,4}(?:${MAKERS}))?`
  const rule = (before: string, after: string, instead = AUTHOR, what = who): Rule => ({
    pattern: new RegExp(`(?<=${before})${what}${after}`, 'giu'),
    instead,
  })
  const called = `(?:${SELF})(?![\\p{L}])${SENTENCE}{0,80}?`
  return [
    rule(
      `${START}(?:${BEFORE})\\s{0,4}${ARTICLE}`,
      `${END}(?!\\s{1,4}(?:users?|customers?|fans?|Nutzer\\p{L}*|usuari\\p{L}*)(?![\\p{L}]))`,
    ),
    rule('(?:^|[.!?:\\n]\\s{0,4})sono\\s{1,4}', END),
    rule(
      `${START}${called}(?:called|named|namens|nommée?|appelée?|llamad[oa]|chiamat[oa]|chamad[oa])\\s{1,4}`,
      END,
    ),
    ...AS.map(({ word, after }) => rule(`${START}${word}\\s{1,4}`, `${END}${after}`)),
    rule('(?:^|[.!?:\\n]\\s{0,4})', `(?=\\s{1,4}here(?![\\p{L}])|\\s{0,4}:\\s{0,4}${I})`),
    rule(
      '(?:^|[.!?\\n]\\s{0,4})this\\s{1,4}is\\s{1,4}',
      `(?=\\s{1,4}speaking|\\s{0,4}[,:.!—–-]\\s{0,4}${I}|\\s{0,4}[.!]?\\s{0,4}$)`,
    ),
    rule(
      '(?:^|\\n)\\s{0,4}(?:[—–]|--?|(?:signed|regards|gezeichnet|signé|firmado)[,:]?)\\s{0,4}',
      '(?=\\s{0,4}[.!]?\\s{0,4}$)',
    ),
    rule('(?:我是|我叫做?|本人是|作为|身为)\\s{0,4}', '(?=\\s{0,4}(?:[，,。.！!；;、]|我|模型|助手|$))'),
    rule('(?:私|わたし|僕|当方)(?:は|、)\\s{0,4}', '(?=\\s{0,4}(?:です|だ|と申|という|として|、|。|$))'),
    rule('', '(?=\\s{0,4}として(?:は)?、)'),
    rule(
      '(?:저는|나는|제\\s{1,4}이름은)\\s{0,4}',
      '(?=\\s{0,4}(?:입니다|이며|이고|라고|예요|이에요|[,.]|$))',
    ),
    rule('', '(?=\\s{0,4}(?:으?로서)(?:,|\\s))'),
    rule(START, '(?=\\s{1,4}olarak(?:\\s{0,4},|\\s{1,4}ben(?![\\p{L}])))'),
    rule('मैं\\s{0,4},?\\s{0,4}', '(?=\\s{0,4}(?:हूँ|हूं|,))'),
    rule(`${START}${called}(?:${MADE_BY})\\s{1,4}`, END, MAKER, `(?:${MAKERS})`),
    rule(
      `${START}my\\s{1,4}(?:makers?|creators?|developers?|trainers?|training)(?:\\s{1,4}(?:is|are|at|by|from)|,)\\s{1,4}`,
      END,
      MAKER,
      `(?:${MAKERS})`,
    ),
    rule(
      START,
      '(?=\\s{1,4}(?:has\\s{1,4})?(?:trained|built|made|created|developed)\\s{1,4}me(?![\\p{L}]))',
      MAKER,
      `(?:${MAKERS})`,
    ),
    rule('我[^。！？\\n]{0,12}由', '(?=\\s{0,4}(?:训练|开发|研发|创建))', MAKER, `(?:${MAKERS})`),
  ]
}

/** Members that quote what was shown to the council, or name things in it. */
const QUOTING: ReadonlySet<string> = new Set(['file', 'quote', 'rule', 'finding', 'opinion', 'id', 'event'])

function each(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => each(item, change))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, QUOTING.has(name) ? member : each(member, change)]),
  )
}

type Change = (text: string) => string

function changing(models: readonly string[]): Change {
  const any = new RegExp(`${namesWith(models)}|${MAKERS}`, 'iu')
  let rules: readonly Rule[] | undefined
  return (text) => {
    if (!any.test(text)) return text
    rules ??= rulesFor(models)
    return rules.reduce((changed, { pattern, instead }) => changed.replace(pattern, instead), text)
  }
}

/** The patterns are large, and a table has the same models from its first prompt to its last. */
let last: { readonly models: string; readonly change: Change } | undefined

function changeFor(models: readonly string[]): Change {
  const key = JSON.stringify(models)
  if (last?.models !== key) last = { models: key, change: changing(models) }
  return last.change
}

/** `models`: the names of the models at this table, in addition to the known names. */
export const textWithoutAuthor = (text: string, models: readonly string[] = []): string =>
  changeFor(models)(text)

export const withoutAuthor = <Said extends object>(answer: Said, models: readonly string[]): Said =>
  each(answer, changeFor(models)) as Said
