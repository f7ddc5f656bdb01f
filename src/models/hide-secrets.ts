// No secret leaves in an error text. Known secrets are removed everywhere, also inside a URL or JSON; what
// merely looks like a key is removed too, because a vendor may repeat a key that this process never had.

const TAKEN_OUT = '[secret]'

/** Shorter ones would remove ordinary words from messages; no vendor issues such keys. */
const SHORTEST = 8

const KEY_LIKE: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|tvly|pplx)[-_](?=[\w*-]*[\d*])[\w*-]*[A-Za-z0-9*]{8,}/g,
  /\bAIza[A-Za-z0-9_-]{20,}/g,
  /\bya29\.[A-Za-z0-9._-]{20,}/g,
  /\b(?:ghp|gho|ghs|ghu|github_pat|glpat|hf|xox[abeprs])[_-][A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
]

/** What follows a telltale name: `Bearer …`, `x-api-key: …`, `?key=…`, `"api_key": "…"`. */
const NAMED =
  /\b(bearer\s+|(?:x-api-key|x-goog-api-key|api[_-]?key|access[_-]?token|auth(?:orization)?[_-]?token|password|secret)["']?\s*[:=]\s*["']?(?:bearer\s+)?|[?&](?:key|token|api_key|access_token)=)([^\s"',;&)\]}]{8,})/gi

/** user:password@ in a URL. */
const USERINFO = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi

const spellings = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
]

/** A text without these secrets, and without what looks like one. */
export function redact(text: string, secrets: readonly (string | null)[] = []): string {
  const known = secrets
    .flatMap((secret) => (secret !== null && secret.length >= SHORTEST ? spellings(secret) : []))
    .sort((a, b) => b.length - a.length)
  let clean = text
  for (const secret of known) clean = clean.replaceAll(secret, TAKEN_OUT)
  clean = clean.replace(USERINFO, `$1${TAKEN_OUT}@`)
  for (const pattern of KEY_LIKE) clean = clean.replace(pattern, TAKEN_OUT)
  return clean.replace(NAMED, `$1${TAKEN_OUT}`)
}
