// Rules that judge a change as a whole: what it does to tests, lock files, sizes and generated files.

import { describe, expect, it } from 'vitest'
import { examine } from '../embedded-model.ts'
import type { SubjectFile } from '../terms.ts'

const found = (files: readonly SubjectFile[], prefix: string, diff?: string): [string, string, string][] =>
  examine({ question: '', mode: 'review', files, ...(diff === undefined ? {} : { diff }) })
    .findings.filter(({ rule }) => rule.startsWith(`WITAN-${prefix}`))
    .map(({ rule, path, severity }) => [rule.slice('WITAN-'.length), path, severity])

const added = (path: string, text = 'x\n'): SubjectFile => ({ path, text, status: 'added' })
const deleted = (path: string, text: string): SubjectFile => ({ path, text, status: 'deleted' })
const changed = (path: string, before: string, text: string): SubjectFile => ({ path, text, before })
const repeat = (n: number, line: (i: number) => string) =>
  Array.from({ length: n }, (_, i) => line(i)).join('\n')
const code = (n: number) => repeat(n, (i) => `const v${i} = ${i}`)

describe('changed source without changed tests', () => {
  it('is reported once, at the first added line of code, by its size', () => {
    const files = [added('src/b.ts', code(20)), added('src/a.ts', `// head\n\n${code(3)}`)]
    const report = examine({ question: '', mode: 'review', files })
    expect(report.findings).toMatchObject([
      { rule: 'WITAN-TEST-001', path: 'src/a.ts', line: 3, severity: 'medium' },
    ])
    expect(report.findings[0]?.description).toContain('Code lines added: 23; source files: 2.')
    expect(found([added('src/a.ts', code(2))], 'TEST')).toEqual([['TEST-001', 'src/a.ts', 'low']])
  })

  it.each<[string, SubjectFile[]]>([
    ['a test beside it', [added('src/a.ts', code(20)), added('src/a.test.ts')]],
    ['a test elsewhere', [added('src/a.py', code(20)), added('tests/test_a.py')]],
    ['a fixture', [added('src/a.go', code(20)), added('testdata/in.txt')]],
    ['tests inside a Rust file', [added('src/lib.rs', `${code(20)}\n#[cfg(test)]\nmod tests {}`)]],
    ['comments only', [changed('src/a.ts', 'x', 'x\n// why\n')]],
    ['imports only', [changed('src/a.ts', 'x', "import a from 'a'\nx\nexport * from './b'\n")]],
    ['documents', [added('docs/a.ts', code(20)), added('README.md')]],
    ['configuration', [added('vite.config.ts', code(20))]],
    ['tooling', [added('scripts/a.js', code(20))]],
    ['deletions only', [changed('src/a.ts', code(9), code(3)), deleted('src/b.ts', code(20))]],
    ['a move', [deleted('src/a.ts', code(9)), added('src/b.ts', code(9))]],
  ])('is not reported with %s', (_, files) => {
    expect(found(files, 'TEST-001')).toEqual([])
  })
})

describe('tests that go', () => {
  const cases = (n: number) => repeat(n, (i) => `it('holds ${i}', () => {})`)

  it('is reported when a file of tests is deleted and its source stays', () => {
    expect(found([deleted('src/a.test.ts', cases(2))], 'TEST-002')).toEqual([
      ['TEST-002', 'src/a.test.ts', 'medium'],
    ])
    expect(found([deleted('tests/test_a.py', 'def test_x():\n  pass')], 'TEST-002')).toHaveLength(1)
    expect(found([deleted('src/a.test.ts', cases(2)), deleted('src/a.ts', 'x')], 'TEST-002')).toEqual([])
    expect(found([deleted('test/support/a.ts', 'export const a = 1')], 'TEST-002')).toEqual([])
  })

  it('is reported when more cases are removed than added, with the first that is gone', () => {
    const report = examine({
      question: '',
      mode: 'review',
      files: [changed('src/a.test.ts', cases(3), cases(1))],
    })
    expect(report.findings).toMatchObject([
      { rule: 'WITAN-TEST-003', line: null, quote: "it('holds 1', () => {})" },
    ])
    expect(found([changed('src/a.test.ts', cases(1), cases(3))], 'TEST-003')).toEqual([])
    const moved = [changed('src/a.test.ts', cases(3), ''), added('src/b.test.ts', cases(3))]
    expect(found(moved, 'TEST-003')).toEqual([])
    expect(found([changed('src/a.test.ts', "it('a', f)", "it('b', f)")], 'TEST-003')).toEqual([])
  })
})

describe('manifests and lock files', () => {
  const npm = (dependencies: string, version = '1.0.0') =>
    `{\n  "version": "${version}",\n  "engines": {\n    "node": ">=20"\n  },\n  "dependencies": {\n${dependencies}\n  }\n}\n`
  const PAIRS: [string, string, string, string][] = [
    ['package.json', 'package-lock.json', npm('    "a": "^1.0.0"'), npm('    "a": "^2.0.0"')],
    ['package.json', 'pnpm-lock.yaml', npm('    "a": "^1.0.0"'), npm('    "a": "^1.0.0",\n    "b": "1"')],
    ['PageData.toml', 'PageData.lock', '[dependencies]\na = "1"\n', '[dependencies]\na = "2"\n'],
    [
      'pyproject.toml',
      'poetry.lock',
      '[tool.poetry.dependencies]\na = "^1"\n',
      '[tool.poetry.dependencies]\na = "^2"\n',
    ],
    [
      'pyproject.toml',
      'uv.lock',
      '[project]\ndependencies = [\n  "a>=1",\n]\n',
      '[project]\ndependencies = [\n  "a>=2",\n]\n',
    ],
    [
      'go.mod',
      'go.sum',
      'module m\nrequire example.com/a v1.0.0\n',
      'module m\nrequire example.com/a v1.1.0\n',
    ],
    ['Gemfile', 'Gemfile.lock', "gem 'a', '~> 1'\n", "gem 'a', '~> 2'\n"],
    [
      'composer.json',
      'composer.lock',
      '{\n"require": {\n"a/b": "^1"\n}\n}',
      '{\n"require": {\n"a/b": "^2"\n}\n}',
    ],
  ]

  it.each(PAIRS)(
    'reports %s without %s, and weighs it by whether the lock file is known',
    (manifest, lock, before, after) => {
      const change = changed(manifest, before, after)
      expect(found([change], 'DEPS')).toEqual([['DEPS-001', manifest, 'low']])
      expect(found([change, { path: lock, text: 'x' }], 'DEPS')).toEqual([['DEPS-001', manifest, 'medium']])
      expect(found([change, changed(lock, 'x', 'y')], 'DEPS')).toEqual([])
      expect(found([changed(lock, 'x', 'y')], 'DEPS')).toEqual([['DEPS-002', lock, 'low']])
    },
  )

  it.each<[string, SubjectFile[]]>([
    ['a version of its own', [changed('package.json', npm('    "a": "1"'), npm('    "a": "1"', '1.0.1'))]],
    [
      'a comma behind a dependency',
      [
        changed(
          'package.json',
          '{\n"dependencies": {\n"a": "1"\n}\n}',
          '{\n"dependencies": {\n"a": "1"\n},\n"type": "module"\n}',
        ),
      ],
    ],
    [
      'a script',
      [changed('package.json', '{\n"scripts": {\n"a": "x"\n}\n}', '{\n"scripts": {\n"a": "1.0.0"\n}\n}')],
    ],
    [
      'an edition',
      [changed('PageData.toml', '[package]\nedition = "2021"\n', '[package]\nedition = "2024"\n')],
    ],
    ['a linter', [changed('pyproject.toml', '[tool.ruff]\nline = "1"\n', '[tool.ruff]\nline = "2"\n')]],
    [
      'a lock file above',
      [
        changed('packages/a/package.json', npm('"a": "1"'), npm('"a": "2"')),
        changed('package-lock.json', 'x', 'y'),
      ],
    ],
    ['a first lock file', [added('package-lock.json')]],
  ])('is silent about %s', (_, files) => {
    expect(found(files, 'DEPS')).toEqual([])
  })

  it('tells a dependency from other lines inside a fragment of a diff', () => {
    const diff = (line: string) =>
      [
        '--- a/package.json',
        '+++ b/package.json',
        '@@ -9,2 +9,2 @@',
        '     "a": "^1.0.0",',
        `-    ${line.replace('2', '1')}`,
        `+    ${line}`,
      ].join('\n')
    expect(found([], 'DEPS', diff('"left-pad": "^2.0.0"'))).toHaveLength(1)
    expect(found([], 'DEPS', diff('"version": "2.0.0"'))).toEqual([])
    expect(found([], 'DEPS', diff('"test": "vitest 2"'))).toEqual([])
  })
})

describe('sizes', () => {
  const long = (n: number) => code(n)

  it('report what is too large to be kept or read', () => {
    expect(found([added('data/a.json', 'x'.repeat(1_000_001))], 'SIZE')).toEqual([
      ['SIZE-001', 'data/a.json', 'medium'],
    ])
    expect(found([added('src/a.ts', long(1_001))], 'SIZE')).toEqual([['SIZE-002', 'src/a.ts', 'low']])
    expect(found([changed('src/a.ts', long(990), long(1_010))], 'SIZE')).toEqual([
      ['SIZE-002', 'src/a.ts', 'low'],
    ])
    expect(
      found(
        [added('src/a.ts', long(900)), added('src/b.ts', long(900)), added('src/c.ts', long(901))],
        'SIZE',
      ),
    ).toEqual([['SIZE-003', 'src/c.ts', 'low']])
  })

  it('report binary files that no one can read, programs more than others', () => {
    const binary = (path: string): SubjectFile => ({ path, text: null, status: 'added' })
    expect(found([binary('tool.exe'), binary('data.db')], 'SIZE')).toEqual([
      ['SIZE-004', 'tool.exe', 'medium'],
      ['SIZE-004', 'data.db', 'low'],
    ])
    expect(found([binary('logo.png'), binary('test/fixtures/in.bin')], 'SIZE')).toEqual([])
    expect(
      found(
        [],
        'SIZE',
        'diff --git a/x.so b/x.so\nnew file mode 100755\nBinary files /dev/null and b/x.so differ\n',
      ),
    ).toHaveLength(1)
  })

  it('are silent about what was long before, generated or documentation', () => {
    expect(found([changed('src/a.ts', long(1_500), long(1_510))], 'SIZE')).toEqual([])
    expect(found([added('package-lock.json', long(5_000)), added('docs/a.md', long(5_000))], 'SIZE')).toEqual(
      [],
    )
  })
})

describe('generated files', () => {
  it('are reported, a folder of them once', () => {
    const files = [
      added('node_modules/a/index.js'),
      added('node_modules/b/index.js'),
      added('x/__pycache__/a.pyc'),
    ]
    expect(found(files, 'GENERATED').map(([, path]) => path)).toEqual([
      'node_modules/a/index.js',
      'x/__pycache__/a.pyc',
    ])
    expect(found([added('public/app.min.js')], 'GENERATED')).toHaveLength(1)
    expect(found([deleted('node_modules/a/index.js', 'x')], 'GENERATED')).toEqual([])
  })

  it('are reported when edited although they say that they are generated', () => {
    const head = '// Code generated by protoc. DO NOT EDIT.\n'
    expect(found([changed('api/a.go', `${head}a`, `${head}b`)], 'GENERATED')).toEqual([
      ['GENERATED-002', 'api/a.go', 'low'],
    ])
    expect(found([changed('src/a.go', '// not generated\na', '// not generated\nb')], 'GENERATED')).toEqual(
      [],
    )
    expect(found([changed('package-lock.json', 'a', 'b')], 'GENERATED')).toEqual([])
  })
})
