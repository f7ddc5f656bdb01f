// Benches run against the built program and no compiler reads them: what they import must still be there.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const BENCHES = readdirSync('bench', { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.(js|ts)$/.test(path) && !path.includes('node_modules'),
)

interface Import {
  readonly by: string
  readonly source: string
  readonly name: string
}

function importsOf(path: string): readonly Import[] {
  const text = readFileSync(join('bench', path), 'utf8')
  return [...text.matchAll(/import \{([^}]*)\} from '[^']*dist\/([^']*)\.js'/g)].flatMap(
    ([, names = '', source = '']) =>
      names
        .split(',')
        .map(
          (name) =>
            name
              .trim()
              .replace(/^type /, '')
              .split(' as ')[0] ?? '',
        )
        .filter((name) => name !== '')
        .map((name) => ({ by: path, source: `src/${source}.ts`, name })),
  )
}

function isExported({ source, name }: Import): boolean {
  const text = readFileSync(source, 'utf8')
  const declared = new RegExp(`export (?:async )?(?:function\\*?|const|class|let) ${name}\\b`)
  const listed = new RegExp(`export \\{[^}]*\\b${name}\\b[^}]*\\}`)
  return declared.test(text) || listed.test(text) || /export \* from/.test(text)
}

it('every name a bench takes from the program is still exported there', () => {
  const imports = BENCHES.flatMap(importsOf)
  expect(imports.length).toBeGreaterThan(50)
  expect(imports.filter((one) => !isExported(one))).toEqual([])
})
