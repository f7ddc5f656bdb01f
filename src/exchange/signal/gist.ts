// A sentence as the parts its words play: "please do not restart the server" becomes please, not, again, machine. The
// parts in their order tell a request from a refusal whatever it is about, and in several languages alike.

import { AGAIN, FOREIGN_AGAIN, TERMS } from './lexicon.ts'
import { EXPRESSIONS, PARTS } from './vocabulary.ts'

const edges = (pattern: string): string => `(?<![\\p{L}\\p{N}§])(?:${pattern})(?![\\p{L}\\p{N}])`

const expressions = EXPRESSIONS.map(
  ([part, pattern]) => [` §${part} `, new RegExp(edges(pattern), 'gu')] as const,
)
const parts = Object.entries(PARTS).map(
  ([part, pattern]) => [part, new RegExp(`^(?:${pattern})$`, 'u')] as const,
)
const again = new RegExp(AGAIN.source, 'gu')
const terms = new RegExp(TERMS.source, 'gu')
const foreign = new RegExp(FOREIGN_AGAIN.source, 'gu')

/** Keeps what is named in between: it may be a pool and it may be a server. */
const marked = (part: string) => (match: string) => ` §${part} ${match.split(/\s+/u).slice(1).join(' ')} `

/** Short forms written out, so that a "not" is one wherever it stands. */
const spelledOut = (plain: string): string =>
  plain
    .replace(/[’]/gu, "'")
    .replace(/won't/gu, 'will not')
    .replace(/can't/gu, 'can not')
    .replace(/shan't/gu, 'shall not')
    .replace(/n't(?!\p{L})/gu, ' not')
    .replace(/'d(?!\p{L})/gu, ' would')
    .replace(/'ll(?!\p{L})/gu, ' will')
    .replace(/'m(?!\p{L})/gu, ' am')
    .replace(/'re(?!\p{L})/gu, ' are')
    .replace(/'ve(?!\p{L})/gu, ' have')
    .replace(/(?<!\p{L})([ncdlmsjt]|qu)'(?=\p{L})/gu, '$1 ')
    .replace(/(?<=\b(?:it|that|there|what|here))'s(?!\p{L})/gu, ' is')

const known = new Map<string, string | null>()
const KNOWN = 20_000

function partOf(word: string): string | null {
  const found = known.get(word)
  if (found !== undefined) return found
  const part = parts.find(([, pattern]) => pattern.test(word))?.[0] ?? null
  if (known.size < KNOWN) known.set(word, part)
  return part
}

const PLAIN = new Set(
  'a an the to for of in on at by with from and or so as is are am be been was were has have had do does did up out down off back now'.split(
    ' ',
  ),
)
const TOKEN = /§\w+|[\p{L}\p{N}]+|[?!.,:;"“”«»()—–-]|…/gu
const STOPS: Readonly<Record<string, string>> = { '“': '"', '”': '"', '«': '"', '»': '"', '—': ',', '–': ',' }

/** The parts in order; words that play none are one gap. */
export function gistOf(sentence: string): readonly string[] {
  let text = spelledOut(sentence.normalize('NFC').toLowerCase())
  text = text.replace(again, marked('again')).replace(terms, marked('terms'))
  text = text.replace(foreign, (match) => ` §again ${match} `)
  for (const [part, pattern] of expressions) text = text.replace(pattern, part)
  const gist = ['^']
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '-') continue
    const part = token.startsWith('§')
      ? `${token.slice(1)}!`
      : /[\p{L}\p{N}]/u.test(token)
        ? (partOf(token) ?? (PLAIN.has(token) ? token : '_'))
        : (STOPS[token] ?? token)
    if (part !== '_' || gist.at(-1) !== '_') gist.push(part)
  }
  return [...gist, '$']
}

const ENGLISH = new Set(
  'the a an of to and in is are was were be been i we you it this that these those not no for on with as at by from have has had do does did would should could can may will let us our my your please what how why who if or but so all some any there they he she'.split(
    ' ',
  ),
)
const OTHER = new Set(
  'der die das und ist nicht wir ich ein eine einen uns von zu mit den dem auf für es im sich noch neu le la les des une un est nous je de du et que pas ne en dans pour sur avec il elle el los las y es no un una que por para con lo se di il che e non per una gli del della o os as um uma não com do da het een we van en niet is ik te dat op zijn bitte ça à été mi'.split(
    ' ',
  ),
)

/** True for a sentence in another language: the embedded encoder does not hear it. */
export function isForeign(sentence: string): boolean {
  const words =
    sentence
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}]+/gu) ?? []
  const latin = words.filter((word) => /\p{Script=Latin}/u.test(word)).length
  if (latin * 2 < words.length) return true
  const english = words.filter((word) => ENGLISH.has(word)).length
  const others = words.filter((word) => OTHER.has(word) && !ENGLISH.has(word)).length
  const marks = /[äöüßéèêëàâçñóíúãõôîûœ¿¡]/u.test(sentence.toLowerCase()) ? 1 : 0
  return others + marks > 0 && others + marks >= english
}
