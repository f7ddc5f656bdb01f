// Texts of known themes, one half of the themes to set the radius by and the other held apart. A message of a theme is
// compared with the centre of the others of its theme, and with the centres of all other themes.
import { readFileSync } from 'node:fs'
import { openBuiltInEmbedder } from '../../src/embeddings/embedded.ts'
import { radiusOf } from '../../src/exchange/clusters/clusters.ts'
import { similarity, toVector, type Vector } from '../../src/ledger/vector.ts'

interface Told {
  readonly theme: string
  readonly text: string
  readonly held: boolean
  readonly vector: Vector
}

/** A message in the wrong theme misleads; one in none is looked at again. */
const ADMITTED = 0.01
const RADII = Array.from({ length: 13 }, (_, i) => 0.3 + i * 0.025)

function centre(texts: readonly Told[]): Vector {
  const [first] = texts
  if (!first) throw new Error('a theme without texts has no centre')
  const sum = new Float64Array(first.vector.values.length)
  for (const { vector } of texts)
    for (const [i, value] of vector.values.entries()) sum[i] = (sum[i] ?? 0) + value
  return toVector(first.vector.encoder, sum)
}

/** How far each text lies from the rest of its theme, and from each other theme. */
function distances(texts: readonly Told[]): { readonly own: number[]; readonly others: number[] } {
  const themes = [...new Set(texts.map(({ theme }) => theme))]
  const [own, others]: [number[], number[]] = [[], []]
  for (const text of texts) {
    for (const theme of themes) {
      const members = texts.filter((other) => other.theme === theme && other !== text)
      const distance = 1 - similarity(centre(members), text.vector)
      if (theme === text.theme) own.push(distance)
      else others.push(distance)
    }
  }
  return { own, others }
}

const within = (all: readonly number[], radius: number): number =>
  all.filter((distance) => distance <= radius).length / all.length

export async function measure(file: string): Promise<string> {
  const embedder = openBuiltInEmbedder()
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
    const texts = lines.map((line) => JSON.parse(line) as Omit<Told, 'vector'>)
    const vectors = await embedder.embed(texts.map(({ text }) => text))
    const told = texts.flatMap((text, i): Told[] => (vectors[i] ? [{ ...text, vector: vectors[i] }] : []))
    const [set, held] = [false, true].map((is) => distances(told.filter((text) => text.held === is)))
    if (!set || !held) throw new Error('no texts')
    const rows = RADII.map((radius) => {
      const figures = [set, held].map(
        ({ own, others }) => `${within(own, radius).toFixed(2)} / ${within(others, radius).toFixed(2)}`,
      )
      return `  ${radius.toFixed(3)}   ${figures.join('     ')}`
    })
    const strict = RADII.filter((radius) => within(set.others, radius) <= ADMITTED)
    return [
      `encoder ${embedder.encoder}; ${told.length} texts; radius in use ${radiusOf(embedder.encoder)}`,
      'of its own theme / of others within the radius',
      '  radius  to set by       held apart',
      ...rows,
      `the widest that admits at most ${ADMITTED * 100} in 100 of others: ${Math.max(...strict).toFixed(3)}`,
    ].join('\n')
  } finally {
    await embedder.close()
  }
}
