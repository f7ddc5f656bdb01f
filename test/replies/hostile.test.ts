// Texts of a megabyte that are made to be costly or to break the reader. Each is read to an end; a reader that went back
// over the text, or that went down without a bound, would not come to one.
import { describe, expect, it } from 'vitest'
import { readCorpus, type Shape } from './corpus.ts'
import { readCareless } from './reading.ts'

const SIZE = 1_000_000
const filled = (scrap: string): string => scrap.repeat(Math.ceil(SIZE / scrap.length))

const HOSTILE: Readonly<Record<string, string>> = {
  'opening brackets': filled('['),
  'opening braces': filled('{'),
  'objects within objects': filled('{"a":'),
  'objects of a known member': filled('{"stance":'),
  'lists and objects': filled('[{"a":['),
  'objects never closed': filled('{"stance":"adopt", '),
  'wrappers within wrappers': filled('{"response":'),
  'many whole values': filled('{"stance":"adopt"} '),
  quotes: filled('"'),
  'lists of open texts': filled('["'),
  'single quotes': filled("['don't "),
  'quotes in a text': `{"summary": "${filled('a "b" ')}`,
  'quotes and commas in a text': `{"summary": "${filled('" ,')}`,
  'quotes and blanks in a text': `{"summary": "${filled('"   \n')}`,
  backslashes: `["${filled('\\')}`,
  fences: filled('```\n'),
  backticks: filled('`'),
  'comments never closed': filled('[/*'),
  'comments never ended': `{${filled('/* ')}`,
  thoughts: filled('<think>'),
  'ends of thoughts': filled('</think>'),
  'whole thoughts': filled('<think></think>'),
  channels: filled('<|channel|>analysis'),
  duplicates: `{${filled('"stance":"adopt",')}}`,
  'unknown members': `{"stance":"adopt",${filled('"x":1,')}}`,
  'many targets': `{"targets":[${filled('{"target":"A","findings":[{}]},')}]}`,
  separators: filled('---\na\n'),
  'stated stances': filled('Stance: adopt\n'),
  apologies: filled("I'm sorry, "),
  blanks: `{${filled(' ')}`,
  'a number': `[${filled('1')}`,
  surrogates: `{"summary":"${filled('\ud83d')}"}`,
}

/** Of each way in which a reply is read. */
const WAYS: readonly Shape[] = ['opinion', 'review', 'turn', 'exchange']
const samples = WAYS.flatMap((shape) => readCorpus().find((reply) => reply.shape === shape) ?? [])

describe('a megabyte', () => {
  it.each(Object.keys(HOSTILE))('of %s is read to an end', (name) => {
    const outcomes = samples.map((reply) => readCareless(reply, HOSTILE[name]).outcome)
    expect(outcomes).toHaveLength(WAYS.length)
  })
})
