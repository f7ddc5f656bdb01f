// The lines of a manifest that name dependencies, found by the section they stand in. A view may be a fragment of a
// diff that starts inside a section; then only what has the form of a dependency counts.

export type Reader = (view: readonly string[]) => string[]

type Section = 'dependencies' | 'other' | 'unknown'

const RANGE =
  /^\s*"(@?[\w./-]{1,120})"\s*:\s*"(?:workspace:|npm:|file:|link:|git|https?:|[~^<>=*v]{0,3}\s?\d|\*|latest")/
const NOT_PACKAGES = new Set([
  'version',
  'node',
  'npm',
  'yarn',
  'pnpm',
  'homepage',
  'url',
  'php',
  'target',
  'port',
])

/** JSON, as package.json and composer.json have it. */
export const inJson =
  (sections: RegExp): Reader =>
  (view) => {
    let section: Section = 'unknown'
    return view.flatMap((raw) => {
      const line = raw.slice(0, 1_000)
      const opened = /^\s*"([\w-]{1,60})"\s*:\s*\{/.exec(line)?.[1]
      if (opened !== undefined) {
        section = sections.test(opened) ? 'dependencies' : 'other'
        if (line.includes('}')) section = 'other'
        return []
      }
      if (/^\s*\}/.test(line)) section = 'other'
      const named = RANGE.exec(line)?.[1]
      const counts =
        section === 'dependencies' ? line.includes('":') : named !== undefined && section === 'unknown'
      return counts && !NOT_PACKAGES.has(named ?? '') ? [line.trim().replace(/,$/, '')] : []
    })
  }

/** TOML, as Cargo.toml, pyproject.toml and Pipfile have it. */
export const inToml =
  (sections: RegExp, loose: RegExp): Reader =>
  (view) => {
    let section: Section = 'unknown'
    let list = false
    return view.flatMap((raw) => {
      const line = raw.slice(0, 1_000)
      const opened = /^\s*\[{1,2}([^\]]{1,120})\]{1,2}\s*(?:#|$)/.exec(line)?.[1]
      if (opened !== undefined) {
        section = sections.test(opened) ? 'dependencies' : 'other'
        list = false
        return []
      }
      const opensList = /^\s*(?:dev-)?dependencies\s*=\s*\[/.test(line)
      const inList = list || opensList
      list = inList && !/\]\s*(?:#|$)/.test(line)
      if (line.trim() === '' || line.trim() === ']' || line.trim().startsWith('#')) return []
      const counts = inList || section === 'dependencies' || (section === 'unknown' && loose.test(line))
      return counts ? [line.trim().replace(/,$/, '')] : []
    })
  }

/** Formats where each line says what it is. */
export const byLine =
  (pattern: RegExp): Reader =>
  (view) =>
    view.map((line) => line.slice(0, 1_000).trim()).filter((line) => pattern.test(line))
