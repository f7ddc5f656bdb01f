// The parts of a prompt. Quoted material is alone in its part, between two parts with only its tags: so a
// part is exactly what it quotes, and a reader of parts (a verifier, the panel of checks) need not undo any
// wrapping.

import { type Sha256, toHex, utf8 } from '../../ledger/bytes.ts'
import type { PromptPart } from '../../ledger/prompt.ts'
import type { Edition } from '../editions.ts'
import { codeOutside } from './chance.ts'
import { attribute } from './escape-data.ts'
import { WORDS } from './words.ts'

/** Something quoted: what it is, where it comes from, and how it is tagged. */
export interface Quoted {
  readonly name: string
  readonly text: string
  readonly quotes: PromptPart['quotes']
  readonly tag: string
  readonly attributes?: Readonly<Record<string, string>>
}

export type Section = Quoted | { readonly name: string; readonly own: string }

const isQuoted = (section: Section): section is Quoted => 'text' in section

const attributesOf = ({ attributes = {} }: Quoted): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}=${attribute(value)}`)
    .join('')

const CODE = '0'.repeat(12)
/** Between parts. */
const GAP = 2

/** How many characters a section takes in a prompt, including its tags and the separator to the next. */
export function sizeOfSection(section: Section): number {
  if (!isQuoted(section)) return section.own.length + GAP
  const tags = `<${section.tag}-${CODE}${attributesOf(section)}></${section.tag}-${CODE}>`
  return section.text.length + tags.length + 3 * GAP
}

export const sizeOfGuard = (words: Edition['words']): number => WORDS[words].guard(CODE).length + GAP

/** `purpose` makes the code of the tags specific to this prompt; it is in none of the quoted texts. */
export function partsOf(
  sha256: Sha256,
  {
    seed,
    purpose,
    words,
  }: { readonly seed: string; readonly purpose: string; readonly words: Edition['words'] },
  sections: readonly Section[],
): readonly PromptPart[] {
  const template = (id: string, text: string): PromptPart['template'] => ({
    id: `council/${id}@${words}`,
    hash: toHex(sha256(utf8(text))),
  })
  const quoted = sections.filter(isQuoted)
  const code = codeOutside(sha256, seed, purpose, [
    ...quoted.map(({ text }) => text),
    ...quoted.map(attributesOf),
  ])
  const own = (name: string, text: string): PromptPart => ({
    name,
    text,
    quotes: null,
    template: template(name, text),
  })
  const tags = template('tag', '<{tag}-{code}{attributes}>')
  const mark = (text: string): PromptPart => ({ name: 'tag', text, quotes: null, template: tags })
  return [
    own('guard', WORDS[words].guard(code)),
    ...sections.flatMap((section): readonly PromptPart[] => {
      if (!isQuoted(section)) return [own(section.name, section.own)]
      const { name, text, quotes, tag } = section
      return [
        mark(`<${tag}-${code}${attributesOf(section)}>`),
        { name, text, quotes, template: null },
        mark(`</${tag}-${code}>`),
      ]
    }),
  ]
}
