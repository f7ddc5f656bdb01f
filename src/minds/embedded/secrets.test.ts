// Every kind of secret is found where it stands and never repeated; what is plainly made up is let pass with a reason.
// The keys here are put together while the tests run, so that none stands in the repository.

import { describe, expect, it } from 'vitest'
import { examine } from './panel.ts'
import { masked, quoted, secretsIn } from './secrets.ts'

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Random-looking, and the same at every run. */
function random(length: number, alphabet = LETTERS): string {
  let state = length * 7919
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return alphabet[Math.floor((state / 2147483648) * alphabet.length)] ?? ''
  }
  return Array.from({ length }, next).join('')
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const HEX = '0123456789abcdef'
const KEY = (kind: string) => `-----BEGIN ${kind}PRIVATE ${'KEY'}-----`

const PLANTED: readonly (readonly [rule: string, value: string])[] = [
  ['002', `sk-${'proj'}-${random(48)}`],
  ['002', `sk-${'svcacct'}-${random(60)}`],
  ['002', `sk-${random(48)}`],
  ['002', `sk-${random(20)}T3BlbkFJ${random(20)}`],
  ['003', `sk-${'ant'}-api03-${random(90)}AA`],
  ['004', `AI${'za'}${random(35)}`],
  ['004', `GOC${'SPX'}-${random(28)}`],
  ['005', `AK${'IA'}${random(16, UPPER)}`],
  ['005', `AS${'IA'}${random(16, UPPER)}`],
  ['007', `gh${'p_'}${random(36)}`],
  ['007', `github_${'pat_'}${random(22)}_${random(59)}`],
  ['007', `glp${'at'}-${random(20)}`],
  ['007', `np${'m_'}${random(36)}`],
  ['008', `xo${'xb'}-${random(12, '0123456789')}-${random(24)}`],
  ['008', `https://hooks.${'slack'}.com/services/T${random(9, UPPER)}/B${random(9, UPPER)}/${random(24)}`],
  ['009', `sk_${'live'}_${random(24)}`],
  ['010', `ey${'J'}${random(20)}.ey${'J'}${random(60)}.${random(43)}`],
  ['011', `hf${'_'}${random(34)}`],
  ['011', `gsk${'_'}${random(52)}`],
  ['011', `sk-${'or'}-v1-${random(64, HEX)}`],
]

const ASSIGNED: readonly (readonly [rule: string, line: string])[] = [
  ['006', `aws_${'secret'}_access_key = ${random(40)}`],
  ['006', `AWS_${'SECRET'}_KEY: "${random(20)}/${random(19)}"`],
  ['012', `postgres://app:${random(14)}@db.prod.internal.company.com/main`],
  ['013', `const api_${'key'} = '${random(32)}'`],
  ['013', `"client_${'secret'}": "${random(24)}",`],
  ['013', `${'pass'}word: 'Tr0ub4dor&3x'`],
]

const found = (line: string, path = 'src/a.ts') => [...secretsIn(path, [{ number: 7, text: line }])]

describe('secrets', () => {
  it.each(PLANTED)('finds a planted value of kind %s in code, in a list and alone', (rule, value) => {
    for (const line of [`const x = "${value}"`, `a, ${value}, b`, value, `say("\\n${value}")`]) {
      expect(found(line)).toMatchObject([{ rule: `WITAN-SECRET-${rule}`, line: 7, excuse: null }])
    }
  })

  it.each(ASSIGNED)('finds a planted value of kind %s by the name it is given to', (rule, line) => {
    expect(found(line, 'config/app.yml')).toMatchObject([{ rule: `WITAN-SECRET-${rule}`, excuse: null }])
  })

  it('finds a private key by its body, on lines of its own and inside a string', () => {
    const body = [random(64), random(64)]
    for (const kind of ['', 'RSA ', 'OPENSSH ', 'EC ']) {
      const lines = [KEY(kind), ...body].map((text, i) => ({ number: i + 1, text }))
      expect([...secretsIn('k', lines)]).toMatchObject([{ rule: 'WITAN-SECRET-001', line: 1 }])
      expect(found(`"${KEY(kind)}\\n${body.join('\\n')}"`)).toMatchObject([{ rule: 'WITAN-SECRET-001' }])
    }
  })

  it('finds one far out on a line that never ends', () => {
    const value = PLANTED[0]?.[1] ?? ''
    for (const before of [1_990, 3_000, 100_000])
      expect(found(`${'x '.repeat(before / 2)}${value}`)).toHaveLength(1)
  })

  it.each([
    ['a heading without a body', `if (text.startsWith('${KEY('')}')) return parse(text)`],
    ['a word', 'class="sk-navigation-item-with-a-long-name"'],
    ['a digest', `"integrity": "sha512-${random(86)}=="`],
    ['a commit', `const commit = '${random(40, HEX)}'`],
    ['a name of a secret', `const token = process.env.TOKEN`],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what a line says.
    ['a template', 'const password = `${first}${second}1`'],
    ['a digest of a token', `tokenHash: '${random(64, HEX)}'`],
    ['a message', `password: 'must have 8 characters'`],
    ['a path', `secret: '/run/secrets/db_password_1'`],
    ['a key of a map', `keyToken: 'vault.kv.v2'`],
    ['an address', 'https://user@example.com:8080/path'],
  ])('is silent about %s', (_, line) => {
    expect(found(line)).toEqual([])
  })

  it.each([
    ['AKIAIOSFODNN7EXAMPLE', 'It says itself that it is a placeholder.'],
    [`sk-${'proj'}-your-key-goes-here-please-replace`, 'It says itself that it is a placeholder.'],
    [`sk-${'x'.repeat(48)}`, 'It repeats one character.'],
    ['postgres://postgres:postgres@localhost:5432/test', 'The password is a stand-in.'],
    [`redis://u:${random(9)}@localhost:1`, 'It opens a local service.'],
  ])('excuses %s', (line, excuse) => {
    expect(found(line).map((secret) => secret.excuse)).toEqual([excuse])
  })

  it('are masked in whatever is quoted, made up or not', () => {
    for (const [, value] of [...PLANTED, ...ASSIGNED])
      expect(masked(`a ${value} b`)).toMatch(/^a .*\[\d+ characters hidden\].*b$/)
    expect(quoted(`k = ${random(64)}`)).toBe('k = [64 characters hidden]')
    expect(quoted(`a\u001b[31m\u202eb\nc`)).toBe('a [31m b c')
    expect(quoted('ä'.repeat(300))).toBe(`${'ä'.repeat(200)}…`)
  })
})

describe('a review', () => {
  const review = (path: string, text: string) =>
    examine({ question: '', mode: 'review', files: [{ path, text, status: 'added' }] })
  const about = (path: string, text: string) =>
    review(path, text).findings.filter(({ rule }) => rule.includes('SECRET'))

  it('reports a secret with its place and never its value', () => {
    for (const [rule, value] of PLANTED) {
      const report = review('conf/live.json', `{\n"x": "${value}"\n}\n`)
      expect(report.findings).toMatchObject([
        { rule: `WITAN-SECRET-${rule}`, path: 'conf/live.json', line: 2 },
      ])
      expect(JSON.stringify(report)).not.toContain(value.slice(-12))
    }
  })

  it('does not repeat a secret that another rule quotes', () => {
    const value = PLANTED[0]?.[1] ?? ''
    const report = review('src/a.py', `eval("${value}" + x)\n`)
    expect(report.findings.map(({ rule }) => rule)).toContain('WITAN-RISK-001')
    expect(JSON.stringify(report)).not.toContain(value.slice(10, 30))
  })

  it('weighs one in a test, fixture or document less, and says where it stands', () => {
    const text = PLANTED[0]?.[1] ?? ''
    for (const path of ['test/a.test.ts', 'fixtures/x.json', 'README.md']) {
      expect(about(path, text)).toMatchObject([
        { severity: 'low', description: expect.stringContaining('It stands in a') },
      ])
    }
  })

  it('lists what it let pass, with the reason', () => {
    expect(review('src/a.ts', "const id = 'AKIAIOSFODNN7EXAMPLE'\n").dismissed).toEqual([
      {
        rule: 'WITAN-SECRET-005',
        path: 'src/a.ts',
        line: 1,
        reason: 'It says itself that it is a placeholder.',
      },
    ])
  })

  it.each([
    '.env',
    'app/.env.production',
    'id_rsa',
    'deploy/id_ed25519',
    'certs/site.p12',
    '.netrc',
    'credentials.json',
    'infra/terraform.tfstate',
  ])('reports %s by its name', (path) => {
    expect(about(path, 'x')).toMatchObject([{ rule: 'WITAN-SECRET-014', path, line: null }])
  })

  it.each([
    '.env.example',
    '.env.sample',
    'src/env.ts',
    'src/secrets.ts',
    'src/credentials.ts',
    'id_rsa.pub',
    'src/token_store.py',
    'db/migrate.sql',
    'secrets.example.yaml',
  ])('is silent about %s', (path) => {
    expect(about(path, 'x')).toEqual([])
  })
})
