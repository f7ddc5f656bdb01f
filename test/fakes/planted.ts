// Planted secrets of many formats. They are put together while the tests run, so that none stands in the repository.

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
export const HEX = '0123456789abcdef'
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
]

/** A whole private key, on lines of its own. */
export const privateKey = (kind = ''): string =>
  [KEY(kind), random(64), `${random(63)}A`, `${random(62)}bC`, KEY(kind).replace('BEGIN', 'END')].join('\n')
