// A diff comes from anywhere: what it says is read by its own counts, and nothing it says can end the reading.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDiff } from './diff.ts'

const lines = (...all: string[]) => all.join('\n')

const SIMPLE = lines(
  'diff --git a/src/a.ts b/src/a.ts',
  'index 1..2 100644',
  '--- a/src/a.ts',
  '+++ b/src/a.ts',
  '@@ -3,4 +3,5 @@ function f() {',
  ' one',
  '-two',
  '+zwei',
  '+drei',
  ' three',
  '\\ No newline at end of file',
  '@@ -20 +21 @@',
  '-x',
  '+y',
)

describe('a unified diff', () => {
  it('gives each line its kind and its numbers in both files', () => {
    const [file, ...others] = parseDiff(SIMPLE)
    expect(others).toEqual([])
    expect(file).toMatchObject({ path: 'src/a.ts', from: null, status: 'modified', binary: false })
    expect(
      file?.hunks.map((hunk) => hunk.map((line) => [line.kind, line.text, line.before, line.after])),
    ).toEqual([
      [
        ['same', 'one', 3, 3],
        ['removed', 'two', 4, null],
        ['added', 'zwei', null, 4],
        ['added', 'drei', null, 5],
        ['same', 'three', 5, 6],
      ],
      [
        ['removed', 'x', 20, null],
        ['added', 'y', null, 21],
      ],
    ])
  })

  it.each<[string, string, object]>([
    [
      'an added file',
      lines('diff --git a/n b/n', 'new file mode 100644', '--- /dev/null', '+++ b/n', '@@ -0,0 +1 @@', '+a'),
      { path: 'n', status: 'added' },
    ],
    [
      'an empty added file',
      lines('diff --git a/n b/n', 'new file mode 100644', 'index 0..e'),
      { path: 'n', status: 'added' },
    ],
    [
      'a deleted file',
      lines(
        'diff --git a/o b/o',
        'deleted file mode 100644',
        '--- a/o',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-a',
      ),
      { path: 'o', status: 'deleted' },
    ],
    [
      'a renamed file',
      lines('diff --git a/x b/y', 'similarity index 100%', 'rename from x', 'rename to y'),
      { path: 'y', from: 'x', status: 'modified' },
    ],
    [
      'a binary file',
      lines(
        'diff --git a/i.bin b/i.bin',
        'new file mode 100644',
        'Binary files /dev/null and b/i.bin differ',
      ),
      { path: 'i.bin', binary: true, status: 'added' },
    ],
    [
      'a name with a space',
      lines('diff --git a/a b.ts b/a b.ts', 'deleted file mode 100644'),
      { path: 'a b.ts' },
    ],
    [
      'a quoted name',
      lines(
        'diff --git "a/\\303\\251.ts" "b/\\303\\251.ts"',
        '--- "a/\\303\\251.ts"',
        '+++ "b/\\303\\251.ts"',
      ),
      { path: 'é.ts' },
    ],
    [
      'a diff of another tool',
      lines('--- old.c\t2020-01-01', '+++ new.c\t2020-01-02', '@@ -1 +1 @@', '-a', '+b'),
      { path: 'new.c', from: 'old.c' },
    ],
    [
      'a merge',
      lines('diff --cc m.ts', '--- a/m.ts', '+++ b/m.ts', '@@@ -1,1 -1,1 +1,2 @@@', '++both', ' +one'),
      { path: 'm.ts' },
    ],
    [
      'a name of every object',
      lines('--- a/__proto__', '+++ b/__proto__', '@@ -1 +1 @@', '-a', '+b'),
      { path: '__proto__' },
    ],
  ])('reads %s', (_, text, expected) => {
    expect(parseDiff(text)).toHaveLength(1)
    expect(parseDiff(text)[0]).toMatchObject(expected)
  })

  it('lets no line inside a hunk pose as another file', () => {
    const text = lines(
      '--- a/x',
      '+++ b/x',
      '@@ -1,2 +1,3 @@',
      ' a',
      '--- a/forged',
      '+++ b/forged',
      '+@@ -1 +1 @@',
    )
    expect(parseDiff(text).map(({ path }) => path)).toEqual(['x'])
    expect(parseDiff(text)[0]?.hunks[0]?.map(({ text }) => text)).toEqual([
      'a',
      '-- a/forged',
      '++ b/forged',
      '@@ -1 +1 @@',
    ])
  })

  it('stops at what is no line of a hunk, and takes no line behind the announced ones', () => {
    expect(parseDiff(`${SIMPLE}\n+behind\n`)[0]?.hunks[1]).toHaveLength(2)
    expect(
      parseDiff(lines('--- a/x', '+++ b/x', '@@ -1,9 +1,9 @@', ' a', 'no diff', '+b'))[0]?.hunks[0],
    ).toHaveLength(1)
  })

  it('takes an empty line for an empty unchanged one, and keeps carriage returns out', () => {
    const text = '--- a/x\r\n+++ b/x\r\n@@ -1,2 +1,3 @@\r\n a\r\n\r\n+b\r\n'
    expect(parseDiff(text)[0]?.hunks[0]?.map(({ kind, text }) => [kind, text])).toEqual([
      ['same', 'a'],
      ['same', ''],
      ['added', 'b'],
    ])
  })

  const piece = fc.oneof(
    fc.constantFrom(
      'diff --git a/x b/x',
      '--- a/x',
      '+++ b/x',
      '+++ /dev/null',
      '@@ -1,3 +1,3 @@',
      '@@@ -1 -1 +1 @@@',
      '@@ -999999999,999999999 +1 @@',
      'rename to ',
      '\\',
      '',
      ' ',
      '+',
      '-',
      'Binary files ',
      '"',
      '--- "a/\\',
    ),
    fc.string({ unit: 'binary' }),
  )
  it('reads any text without failing, and numbers lines upwards', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const { hunks, path } of parseDiff(pieces.join('\n'))) {
          expect(path).not.toBe('')
          for (const hunk of hunks) {
            const after = hunk.flatMap((line) => line.after ?? [])
            expect(after).toEqual([...after].sort((a, b) => a - b))
            for (const { kind, before, after } of hunk) {
              expect([before === null, after === null]).toEqual([kind === 'added', kind === 'removed'])
            }
          }
        }
      }),
    )
  })
})
