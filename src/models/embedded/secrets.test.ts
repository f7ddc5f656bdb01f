// What the panel says about secrets: the place, never the value; also where one was removed before it looked.

import { describe, expect, it } from 'vitest'
import { PLANTED } from '../../../test/fakes/planted.ts'
import { withoutKnownSecrets } from '../../ledger/secrets/remove.ts'
import { examine } from './embedded-model.ts'

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

  it('reports a secret that was taken out before the panel saw the text, and lets a made-up one pass', () => {
    const value = PLANTED[0]?.[1] ?? ''
    const { text } = withoutKnownSecrets(`a = "${value}"\nb = 'AKIAIOSFODNN7EXAMPLE'\n`, 'src/a.ts')
    expect(about('src/a.ts', text)).toMatchObject([{ rule: 'WITAN-SECRET-002', line: 1 }])
    expect(review('src/a.ts', text).dismissed).toMatchObject([{ rule: 'WITAN-SECRET-005', line: 2 }])
    expect(about('src/a.ts', 'x = "[secret removed: github]"\n')).toMatchObject([
      { rule: 'WITAN-SECRET-011' },
    ])
  })
})
