// Secrets that only their surroundings give away: each line is found with its value and nowhere else, and what looks
// alike and is none is let alone.

import { describe, expect, it } from 'vitest'
import { random } from '../../../test/fakes/planted.ts'
import { secretsIn, spansIn } from './find.ts'

const READING = { bare: true, program: false }
const values = (text: string, reading = READING): readonly string[] =>
  [...spansIn(text, reading)].map(({ start, end }) => text.slice(start, end))
const rules = (text: string, reading = READING): readonly string[] =>
  [...spansIn(text, reading)].map(({ rule }) => rule.replace('WITAN-SECRET-', ''))

const RANDOM = 'q7Zt4Kx9Lm2Pw8Rv'
const PASSWORD = 'Tr0ub4dor&3x'

describe('a value under a telling name', () => {
  it.each([
    [`"api_key": "${RANDOM}"`],
    [`token = '${RANDOM}'`],
    [`secret := \`${RANDOM}\``],
    [`config.signing_key => "${RANDOM}"`],
    [`say("{\\"token\\": \\"${RANDOM}\\"}")`],
    [`export API_TOKEN=${RANDOM}`],
    [`+  db.password: ${PASSWORD}`],
    [`- secret-key: ${RANDOM}`],
  ])('is found, and nothing else: %s', (line) => {
    const [value, ...more] = values(line)
    expect([RANDOM, PASSWORD]).toContain(value)
    expect(more).toEqual([])
  })

  it.each([
    [`token: "${RANDOM.slice(0, 15)}"`],
    [`token: "${'abababababababab1'}"`],
    [`token_hash: "${RANDOM}"`],
    [`token: "https://a/${RANDOM}"`],
    [`token: "call(${RANDOM})"`],
    ['token: "some-words-and-a-version-v12"'],
    ['password: "onlyletters"'],
    ['password: "1234567890"'],
    [`if (a) token = ${RANDOM}`],
    [`token: ${RANDOM} and more words`],
  ])('is left alone if it does not look like a secret: %s', (line) => {
    expect(values(line)).toEqual([])
  })

  it('counts without quotes only in settings files', () => {
    const line = `token=${RANDOM}`
    expect(values(line, { bare: false, program: true })).toEqual([])
    expect([...secretsIn('a/.env.local', [{ number: 3, text: line }])]).toMatchObject([{ line: 3 }])
    expect([...secretsIn('a/app.ts', [{ number: 3, text: line }])]).toEqual([])
  })

  it('is found on its own line of many', () => {
    const lines = ['one', `a: "${RANDOM}"`, 'three', `token: "${RANDOM}"`, ''].map((text, i) => ({
      number: i * 10,
      text,
    }))
    expect([...secretsIn('b.yml', lines)].map(({ line }) => line)).toEqual([30])
  })

  it('is searched for again after a found secret, and within a name that was not one', () => {
    expect(values(`token: "${RANDOM}", token: "${RANDOM}"`)).toHaveLength(2)
    expect(values(`token_name: "${RANDOM}"`)).toEqual([])
    expect(values(`token_name_secret: "${RANDOM}"`)).toEqual([RANDOM])
  })
})

describe('a key of AWS', () => {
  const key = `wJalrXUtnFEMI/K7MDENG/${'bPxRfiCYzq8mPLkey9'}`

  it('is forty characters of several kinds behind its name', () => {
    expect(key).toHaveLength(40)
    expect(rules(`aws_secret_access_key = ${key}`)).toEqual(['006'])
    expect(values(`AWS "Secret": "${key}"`)).toEqual([key])
    for (const other of [
      random(40, '0123456789abcdef'),
      'A'.repeat(20) + '1'.repeat(20),
      key.slice(1),
      `${key}x`,
    ])
      expect(rules(`aws.thing = ${other}`)).not.toContain('006')
  })
})

describe('a password in an address or a data source', () => {
  it('is found, and excused if it opens only a local service', () => {
    expect(values(`postgres://app:${PASSWORD}@db.example.org/x`)).toEqual([PASSWORD])
    expect(values(`see amqp://:${PASSWORD}@mq.example.org`)).toEqual([PASSWORD])
    const excuses = (text: string) => [...spansIn(text, READING)].map(({ excuse }) => excuse)
    expect(excuses(`redis://u:${PASSWORD}@127.0.0.1:1`)).toEqual(['It opens a local service.'])
    expect(excuses(`mysql://u:root@db.example.org`)).toEqual(['The password is a stand-in.'])
    expect(excuses(`mysql://u:${PASSWORD}@db.example.org`)).toEqual([null])
  })

  it('is not one if it is a placeholder, or has no scheme or host', () => {
    for (const text of [
      `postgres://app:\${PW}word@db.example.org`,
      `x ://a:${PASSWORD}@b`,
      `http://a:${PASSWORD}@/`,
    ])
      expect(values(text)).toEqual([])
  })

  it('is found among the other parts of a data source', () => {
    for (const text of [
      `Server=db;User Id=app;Password=${PASSWORD};`,
      `host=db user=app password=${PASSWORD}`,
      `password=${PASSWORD} dbname=x`,
      `x;pwd=${PASSWORD}`,
    ])
      expect(values(text)).toEqual([PASSWORD])
    expect(values(`host=db\nthe pwd=$FROM_ENV1`)).toEqual([])
    expect(rules(`host=db;password=changeme`)).toEqual(['012'])
  })
})

describe('a password in a command or in words', () => {
  it.each([
    `curl -s -u app:${PASSWORD} https://x`,
    `sshpass -p ${PASSWORD} ssh a@b`,
    `mysql -h db -p${PASSWORD}`,
    `redis-cli -h x -a ${PASSWORD}`,
    `docker login -u a --password ${PASSWORD}`,
    `The password is ${PASSWORD}.`,
    `Das Passwort für den Server lautet ${PASSWORD}`,
    `Wachtwoord: "${PASSWORD}"`,
    `密码：${PASSWORD}`,
  ])('is found: %s', (line) => {
    expect(values(line)).toEqual([PASSWORD])
  })

  it.each([
    'The password is required.',
    'The password is 12345678',
    'password: some_name_here',
    'The password is user.password1',
    'password is abc12',
    `the password is ${'aB1'.repeat(30)}`,
    'password: v1.2.3',
    'the password is $PASSWORD1',
    'the password is <Your-Pass-1>',
    'mysql -h db -plocalhost',
  ])('is not one: %s', (line) => {
    expect(values(line)).toEqual([])
  })

  it('counts in a program only in a comment or a string', () => {
    const program = { bare: false, program: true }
    expect(values(`// the password is ${PASSWORD}`, program)).toEqual([PASSWORD])
    expect(values(`say("the password is ${PASSWORD}")`, program)).toEqual([PASSWORD])
    expect(values(`password = ${PASSWORD}`, program)).toEqual([])
    expect(values(`x = 1\npassword = ${PASSWORD} + other`, program)).toEqual([])
  })
})

describe('a secret of an orchestrator', () => {
  const manifest = (...lines: readonly string[]) =>
    ['apiVersion: v1', 'kind: Secret', 'data:', ...lines, 'type: Opaque'].join('\n')

  it('is every value of a Kubernetes Secret, in any form', () => {
    expect(
      values(manifest('  user: YWRtaW4', '  pin: "42"', '', '  # a remark', '  last: b2s # why')),
    ).toEqual([...['YWRtaW4', '42', 'b2s']])
    expect(rules(manifest('  user: YWRtaW4'))).toEqual(['018'])
    expect(values(manifest('  cert: |', '    bGluZTE', '    bGluZTI'))).toEqual(['bGluZTE', 'bGluZTI'])
    expect(
      values(manifest('  none: ""', '  empty:', '  nothing: null', '  x: {{ .Values.x }}', '  y: a')),
    ).toEqual([])
  })

  it('ends where its map ends, and belongs to this document alone', () => {
    const text = `${manifest('  user: YWRtaW4')}\nstringData:\n  more: plain\nother:\n  free: word\n---\nkind: ConfigMap\ndata:\n  a: bcd`
    expect(values(text)).toEqual(['YWRtaW4', 'plain'])
    expect(values(text.replace('kind: Secret', 'kind: SecretStore'))).toEqual([])
  })

  it('is found in a diff and in JSON, also inside a string', () => {
    expect(values(' kind: Secret\n+data:\n+  user: YWRtaW4\n-  old: b2xk\n')).toEqual(['YWRtaW4', 'b2xk'])
    const json = JSON.stringify({ kind: 'Secret', data: { user: 'YWRtaW4', pin: 'NDI' } })
    expect(values(json)).toEqual(['YWRtaW4', 'NDI'])
    expect(values(JSON.stringify({ inner: json }))).toEqual(['YWRtaW4', 'NDI'])
  })

  it('is the login that Docker keeps', () => {
    const auth = 'YWxhZGRpbjpvcGVuc2VzYW1l'
    expect(values(`{"auths":{"r.example.org":{"auth":"${auth}"}}}`)).toEqual([auth])
    expect(values(`{"identitytoken":"${RANDOM}"}`)).toEqual([RANDOM])
    expect(values(`{"auth":"aaaaaaaaaaaaaaaa"}`)).toEqual([])
  })
})
