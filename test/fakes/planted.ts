// Planted secrets of many formats. They are put together while the tests run, so that none is in the repository.

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'

/** Random-looking, and the same at every run. */
export function random(length: number, alphabet = LETTERS): string {
  let state = length * 7919
  const next = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return alphabet[Math.floor((state / 2147483648) * alphabet.length)] ?? ''
  }
  return Array.from({ length }, next).join('')
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const DIGITS = '0123456789'
const LOWER = 'abcdefghijklmnopqrstuvwxyz0123456789'
export const HEX = '0123456789abcdef'
const GUID = [8, 4, 4, 4, 12].map((length) => random(length, HEX)).join('-')
export const KEY = (kind: string) => `-----BEGIN ${kind}PRIVATE ${'KEY'}-----`

export const PLANTED: readonly (readonly [rule: string, value: string])[] = [
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
  ['011', `S${'G'}.${random(22)}.${random(43)}`],
  ['011', `S${'K'}${random(31, HEX)}a`],
  ['011', `Account${'Key'}=${random(86)}==`],
  ['011', `gl${'sa'}_${random(32)}_${random(8, HEX)}`],
  ['011', `h${'vs'}.${random(90)}`],
  ['007', `dckr_${'pat'}_${random(27)}`],
  ['007', `py${'pi'}-AgE${random(80)}`],
  ['001', `MIIEvQIBA${'DANBgkqhkiG9w0BAQEFAASC'}${random(200)}`],
  ['016', `https://dis${'cord'}.com/api/webhooks/${random(18, DIGITS)}/${random(68)}`],
  ['016', `https://ptb.discord${'app'}.com/api/v10/webhooks/${random(19, DIGITS)}/${random(68)}`],
  [
    '016',
    `https://acme.webhook.${'office'}.com/webhookb2/${GUID}@${GUID}/IncomingWebhook/${random(32, HEX)}/${GUID}`,
  ],
  [
    '016',
    `https://chat.${'googleapis'}.com/v1/spaces/AAAA${random(7)}/messages?key=k&token=${random(43)}%3D`,
  ],
  ['016', `https://chat.example.org/${'hooks'}/${random(25, LOWER)}7`],
  ['016', `${random(10, '123456789')}:${'AA'}${random(33)}`],
  ['016', `https://api.telegram.org/bot${random(10, '123456789')}:${'AA'}${random(33)}`],
  ['016', `https://open.${'feishu'}.cn/open-apis/bot/v2/hook/${GUID}`],
]

export const ASSIGNED: readonly (readonly [rule: string, line: string])[] = [
  ['006', `aws_${'secret'}_access_key = ${random(40)}`],
  ['006', `AWS_${'SECRET'}_KEY: "${random(20)}/${random(19)}"`],
  ['012', `Server=db;User=sa;Pass${'word'}=${random(12)};`],
  ['012', `postgres://app:${random(14)}@db.prod.internal.company.com/main`],
  ['015', `curl -H "Authorization: Be${'arer'} ${random(40)}"`],
  ['013', `const api_${'key'} = '${random(32)}'`],
  ['013', `"client_${'secret'}": "${random(24)}",`],
  ['013', `${'pass'}word: 'Tr0ub4dor&3x'`],
  ['017', `WLAN ${'pass'}word=Gr4nite-Otter`],
  ['017', `The ${'pass'}word is Gr4nite-Otter, tell nobody.`],
  ['017', `# Das ${'Pass'}wort für den Router: Gr4nite-Otter`],
  ['017', `curl -u ana:Gr4nite-Otter https://example.org`],
  ['012', `host=db.example.org user=app ${'pass'}word=Gr4nite-Otter dbname=shop`],
  ['012', `redis://:${random(14)}@cache.prod.company.com:6379/0`],
]

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const manifest = (body: string): string =>
  `apiVersion: v1\nkind: ${'Secret'}\nmetadata:\n  name: shop\n${body}`

/** Whole files that hold one secret, with the words that must not be left. */
export const MANIFESTS: readonly (readonly [what: string, file: string, secret: string])[] = [
  [
    'data of a Kubernetes Secret',
    manifest(`data:\n  code: ${base64('granite otter')}\n`),
    base64('granite otter'),
  ],
  ['stringData of one', manifest('stringData:\n  code: granite otter\n'), 'granite otter'],
  ['a block of one', manifest('stringData:\n  code: |\n    granite\n    otter\n'), 'otter'],
  [
    'one in JSON',
    JSON.stringify({ kind: 'Secret', data: { a: base64('granite otter') } }),
    base64('granite otter'),
  ],
  [
    'settings of Docker',
    JSON.stringify({ auths: { 'registry.example.org': { auth: base64('ana:granite-otter') } } }, null, 2),
    base64('ana:granite-otter'),
  ],
  [
    'settings of Docker in base64',
    `  .dockerconfigjson: ${base64(JSON.stringify({ auths: { r: { auth: base64('ana:granite-otter') } } }))}\n`,
    base64(JSON.stringify({ auths: { r: { auth: base64('ana:granite-otter') } } })),
  ],
]

/** A whole private key, on lines of its own. */
export const privateKey = (kind = ''): string =>
  [KEY(kind), random(64), `${random(63)}A`, `${random(62)}bC`, KEY(kind).replace('BEGIN', 'END')].join('\n')
