// Resolves references of a model: opinions by their labels, artifacts by their ids. A reference counts if it
// can only mean one of what was shown; a position alone names nothing.

const MARKS_AROUND = /^[\s"'“”‘’`[\]()*#]+|[\s"'“”‘’`[\]()*.:]+$/g
const PREFIX = /^(?:opinion|response|answer|target)[\s_:#-]*/i
const SHORTEST_BEGINNING = 8

const bareLabel = (text: string): string =>
  text.replaceAll(MARKS_AROUND, '').replace(PREFIX, '').replaceAll(MARKS_AROUND, '').toUpperCase()

/** The label that is meant, or null: `Opinion A`, `[A]`, and `1` for the first that was shown. */
export function labelMeant(text: string, labels: readonly string[]): string | null {
  if (labels.includes(text)) return text
  if (text.length > 80) return null
  const bare = bareLabel(text)
  const named = labels.filter((label) => label.toUpperCase() === bare)
  if (named.length > 0) return named.length === 1 ? (named[0] ?? null) : null
  return /^[1-9]\d{0,2}$/.test(bare) ? (labels[Number(bare) - 1] ?? null) : null
}

/** The id that is meant, or null: case, `sha256:` before it, and a beginning that only one artifact has. */
export function artifactMeant(text: string, artifacts: readonly string[]): string | null {
  if (artifacts.includes(text)) return text
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^sha-?256[:-]/, '')
    .replace(/(?:…|\.\.\.)$/, '')
  if (bare.length < SHORTEST_BEGINNING || !/^[0-9a-f]+$/.test(bare)) return null
  const begun = artifacts.filter((id) => id.startsWith(bare))
  return begun.length === 1 ? (begun[0] ?? null) : null
}
