import { describe, expect, it } from 'vitest'
import { newHome, witan } from '../../../test/doors/command.ts'
import { sayOnce } from '../../../test/doors/errand-home.ts'
import { block, clip, plain, plainJson } from '../../render/plain.ts'
import { sha256 } from '../../stores/digest.ts'
import { wantsColour } from './command.ts'

const HOSTILE = [
  '\u001b[2J\u001b]0;owned\u0007', // clears the screen, renames the window
  '\u009b31m', // the same beginning as one C1 character
  'a\rb', // writes over the line
  '\u202ecod.exe\u2066', // turns the reading direction
  'pay\u200bpal\ufeff', // hides a seam
  'x\u2028y\u2029z\u0085', // line ends that are none of ours
  '\u{e0041}\u{e0042}', // invisible tags
  '\ud800', // half a character
  'zalgo\u0300\u0301\u0302\u0303\u0304\u0305\u0306',
]
const RAW = /(?!\n)\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}|\p{Cs}/u

describe('text from outside', () => {
  it('APP-2 reaches the terminal only as visible characters', () => {
    for (const text of HOSTILE) {
      expect(plain(text)).not.toMatch(RAW)
      expect(plainJson(text)).not.toMatch(RAW)
      expect(JSON.parse(plainJson(text))).toBe(text)
      for (const line of block(`${text}\n${text}`, '  ')) expect(line).toMatch(/^ {2}[^\n]*$/)
    }
    expect(plain('\u001b[31m')).toBe('\\x1b[31m')
    expect(plain('\u202e')).toBe('\\u202e')
    expect(plain('a\nb')).toBe('a\\x0ab')
    expect(plain('naïve – 日本語 👍 ä̂')).toBe('naïve – 日本語 👍 ä̂')
    expect(clip('abcdef', 4)).toBe('abc…')
  })

  it('APP-2 cannot move the cursor from payloads, reasons, names of artifacts, homes or arguments', async () => {
    const where = await newHome()
    const bytes = Buffer.from('artifact')
    const hash = Buffer.from(sha256(bytes)).toString('hex')
    // The ledger itself refuses half characters; all the rest is legal content.
    const words = HOSTILE.filter((text) => !text.includes('\ud800')).join('|')
    const artifacts = [{ hash, size: bytes.length, name: words, media_type: words }]
    await sayOnce(where.home, { question: words, [words]: words, artifacts }, bytes)
    await sayOnce(where.home, { question: words })
    await witan(where, 'redact', 'last', '0', '--reason', words.replaceAll('\0', ''), '--by', words)
    const traces = (await witan(where, 'list', '--quiet')).stdout.trim().split('\n')
    expect(traces).toHaveLength(3)
    for (const trace of traces) {
      for (const args of [
        ['show', trace],
        ['show', trace, '0'],
        ['verify', trace],
        ['show', trace, '--json'],
        ['list'],
      ]) {
        const { stdout, stderr } = await witan(where, ...args)
        expect(stdout.length).toBeGreaterThan(60)
        expect(stdout + stderr).not.toMatch(RAW)
      }
    }
    for (const args of [
      ['show', words],
      [words],
      ['verify', `../../../test/doors/${words}`],
      ['list', `--${words}`],
      ['trust', words],
    ]) {
      const { stderr, code } = await witan(where, ...args)
      expect(code).toBeGreaterThan(1)
      expect(stderr.length).toBeGreaterThan(20)
      expect(stderr).not.toMatch(RAW)
    }
    const home = await witan({ home: `${where.cwd}/${words}` }, 'list')
    expect([home.code, RAW.test(home.stderr)]).toEqual([7, false])
  })
})

describe('colour', () => {
  it('APP-2 is for terminals that did not decline it', async () => {
    expect(wantsColour({ isTTY: true }, {})).toBe(true)
    expect(wantsColour({}, {})).toBe(false)
    expect(wantsColour({ isTTY: true }, { NO_COLOR: '1' })).toBe(false)
    expect(wantsColour({ isTTY: true }, { TERM: 'dumb' })).toBe(false)
  })

  it('APP-2 fits eighty columns wherever help or a verdict is printed', async () => {
    const where = await newHome()
    const verbs = 'init list show verify export prove redact trust completion keys'.split(' ')
    const lines = [
      ['--help'],
      [],
      ...verbs.map((verb) => ['help', verb]),
      ['keys', 'add', '-h'],
      ['export', 'registry', '-o', 'r.witan'],
      ['--home', '/nowhere', 'verify', 'r.witan'],
      ['verify', 'registry'],
    ]
    for (const args of lines) {
      const { code, stdout } = await witan(where, ...args)
      expect(code).toBe(0)
      for (const line of stdout.split('\n')) expect([...line].length).toBeLessThanOrEqual(80)
    }
  })
})
