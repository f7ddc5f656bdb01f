// Secrets known by their form. Every repetition is bounded and every pattern starts at a boundary, so a match costs a
// constant. The form alone decides; whether a value is made up is judged elsewhere.

/** How bad it is when it is real. */
export type SecretWeight = 'critical' | 'high' | 'medium' | 'low'

export interface SecretFormat {
  readonly rule: string
  readonly what: string
  readonly severity: SecretWeight
  /** Letters without which the pattern cannot match. */
  readonly hint: string
  readonly pattern: RegExp
}

/** Not inside a longer word; an escaped line end in a string is a boundary too, and the mark of a line in a diff. */
const START = '(?:(?<![A-Za-z0-9_-])|(?<=\\\\[nrt])|(?<=^-))'
const form = (
  rule: string,
  what: string,
  severity: SecretWeight,
  hint: string,
  ...patterns: readonly string[]
): SecretFormat => ({
  rule: `WITAN-SECRET-${rule}`,
  what,
  severity,
  hint,
  pattern: new RegExp(patterns.map((pattern) => `${START}${pattern}`).join('|'), 'g'),
})

export const SECRET_FORMATS: readonly SecretFormat[] = [
  form(
    '002',
    'an OpenAI key',
    'critical',
    'sk-',
    'sk-(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,250}',
    'sk-[A-Za-z0-9]{20,64}(?![A-Za-z0-9_-])',
  ),
  form('003', 'an Anthropic key', 'critical', 'sk-ant', 'sk-ant-[a-z0-9]{2,10}-[A-Za-z0-9_-]{20,250}'),
  form(
    '004',
    'a Google key',
    'critical',
    'AIza|ya29|GOCSPX',
    'AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])',
    'ya29\\.[A-Za-z0-9_-]{30,250}',
    'GOCSPX-[A-Za-z0-9_-]{28}',
  ),
  form(
    '005',
    'an AWS access key id',
    'high',
    'A[KSB]IA|ACCA',
    '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  ),
  form(
    '007',
    'a token of a code host or package registry',
    'critical',
    'gh[pousr]_|github_pat|glpat|npm_|pypi-',
    'gh[pousr]_[A-Za-z0-9]{36,250}',
    'github_pat_[A-Za-z0-9_]{40,250}',
    'glpat-[A-Za-z0-9_-]{20,64}',
    'npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])',
    'pypi-AgE[A-Za-z0-9_-]{50,250}',
  ),
  form(
    '008',
    'a Slack token',
    'critical',
    'xox|xapp|hooks',
    'xox[abeoprs]-[A-Za-z0-9-]{10,250}',
    'xapp-\\d-[A-Za-z0-9-]{20,250}',
    'https://hooks\\.slack\\.com/services/T[A-Z0-9]{6,14}/B[A-Z0-9]{6,14}/[A-Za-z0-9]{16,40}',
  ),
  form(
    '009',
    'a Stripe key',
    'critical',
    '[sr]k_live|whsec',
    '(?:sk|rk)_live_[A-Za-z0-9]{16,250}',
    'whsec_[A-Za-z0-9]{32,64}',
  ),
  form('009', 'a Stripe key for testing', 'low', '[sr]k_test', '(?:sk|rk)_test_[A-Za-z0-9]{16,250}'),
  form(
    '010',
    'a signed web token (JWT)',
    'medium',
    'eyJ',
    'eyJ[A-Za-z0-9_-]{10,300}\\.eyJ[A-Za-z0-9_-]{10,800}\\.[A-Za-z0-9_-]{16,400}',
  ),
  form(
    '011',
    'a vendor token',
    'high',
    'sk-or|gsk_|xai-|pplx|hf_|r8_|SG\\.|_v1_|:AA|AGE-|AccountKey',
    'sk-or-v1-[0-9a-f]{64}',
    'gsk_[A-Za-z0-9]{40,64}',
    'xai-[A-Za-z0-9]{60,100}',
    'pplx-[A-Za-z0-9]{40,64}',
    'hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])',
    'r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])',
    'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}',
    'do[opr]_v1_[0-9a-f]{64}',
    '\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])',
    'AGE-SECRET-KEY-1[0-9A-Z]{58}',
    'AccountKey=[A-Za-z0-9+/]{86}==',
  ),
  form(
    '015',
    'a credential in a header of a request',
    'high',
    'earer|asic',
    '(?<=[Bb]earer )[A-Za-z0-9._~+/-]{24,500}={0,2}',
    '(?<=[Aa]uthorization["\']?\\s{0,3}[:=]\\s{0,3}["\'`]?Basic )[A-Za-z0-9+/]{12,500}={0,2}',
  ),
]

/** The values of assignments, by the name they are given to; group 1 is the name, group 2 the value. */
export const ASSIGNED =
  /((?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|auth[_-]?key|private[_-]?key|signing[_-]?key|encryption[_-]?key|credential)[A-Za-z0-9_-]{0,20})["'`]?\s{0,4}(?::=|=>|[:=])\s{0,4}["'`]([^\s"'`]{8,200})["'`]/gi

/** The same without quotes, where settings files have none; a line of a diff begins with its mark. */
export const ASSIGNED_BARE =
  /^[+-]?\s{0,20}(?:export\s)?[A-Za-z0-9_.:/-]{0,120}?((?:passw(?:or)?d|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)[A-Za-z0-9_.-]{0,20})\s{0,4}[:=]\s{0,4}([^\s"'`#]{8,200})\s*$/gi

export const AWS_SECRET =
  /(?:aws|amazon|secret)[A-Za-z0-9_\s"'.-]{0,40}[:=]\s{0,4}["'`]?([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi

/** Between semicolons, as data sources are named. */
export const SOURCE_PASSWORD = /;\s?(?:password|pwd)\s?=\s?([^;\s"'`]{4,128})/gi

export const URL_PASSWORD =
  /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"`<>]{1,64}:([^\s:@/'"`<>]{3,128})@[A-Za-z0-9[]/g

/** A line without any of these holds no secret that is looked for; most lines end here. */
export const HINTS = new RegExp(
  `${SECRET_FORMATS.map(({ hint }) => hint).join('|')}|pass|pwd|secret|token|key|credential|aws|amazon|://`,
  'i',
)
