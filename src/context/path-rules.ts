// Reasons for not reading a file that follow from its path alone. Whole names are compared, never substrings:
// `*.sql` would drop migrations and `*token*` source files. What a name does not show, the scan of contents
// has to find.

import type { Ignore } from 'ignore'
import { withoutKnownSecrets } from '../ledger/secrets/remove.ts'
import { forPath } from '../ledger/text/neutral.ts'
import type { Reason } from './exclusion.ts'
import { readBounded } from './read-file.ts'

const set = (names: string): ReadonlySet<string> => new Set(names.split(' '))

const FOLDERS: readonly (readonly [Reason, ReadonlySet<string>])[] = [
  ['vcs', set('.git .hg .svn .jj .bzr cvs _darcs .pijul')],
  ['secret-path', set('.ssh .gnupg .aws .azure .gcloud .kube .password-store .secrets')],
  [
    'dependency',
    set(
      'node_modules bower_components jspm_packages site-packages .venv venv virtualenv pods carthage vendor .pnpm-store',
    ),
  ],
  ['build', set('.next .nuxt .output .svelte-kit .astro coverage .nyc_output htmlcov')],
  [
    'cache',
    set(
      '__pycache__ .cache .parcel-cache .turbo .pytest_cache .mypy_cache .ruff_cache .gradle .tox .nox .terraform .sass-cache .eggs .idea',
    ),
  ],
]

/** Folders with these names are build output, unless they are among sources: `src/build/` is written by hand. */
const OUTPUT = set('dist build out target')
const AMONG_SOURCES = set(
  'src lib app apps source sources scripts script tools test tests internal pkg cmd docs',
)

const foldersOf = (path: string): readonly string[] => path.toLowerCase().split('/').slice(0, -1)

/** Why a folder is not entered; `path` has no slash at its end. */
export function folderReason(path: string): Reason | null {
  const name = path.toLowerCase().split('/').at(-1) ?? ''
  const known = FOLDERS.find(([, names]) => names.has(name))
  if (known) return known[0]
  return OUTPUT.has(name) && !foldersOf(path).some((each) => AMONG_SOURCES.has(each)) ? 'build' : null
}

const KEY_FILE =
  /^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_[a-z0-9_-]+|\.(?:bak|old))?|.*\.(?:pem|key|crt|cer|der|p7b|p7c|p8|p12|pfx|pkcs12|jks|keystore|truststore|bks|kdbx?|ppk|keytab|ovpn|mobileprovision|gpg|pgp|age))$/
const SECRET_FILE =
  /^(?:\.env(?:rc|\..*)?|[a-z0-9_-]+\.env|\.(?:pgpass|netrc|pypirc|git-credentials|htpasswd|dockercfg|my\.cnf|s3cfg|boto|vault-token)|_netrc|g?shadow-?|master\.passwd|kubeconfig|wallet\.dat|credentials|client_secrets?[a-z0-9_.-]*\.json|service[_-]?account[a-z0-9_-]*\.json|(?:terraform|.*\.auto)\.tfvars(?:\.json)?|.*\.tfstate(?:\.backup)?|(?:[a-z0-9_.-]*[_.-])?(?:secrets?|credentials?|passwords?)\.(?:json|ya?ml|toml|ini|txt|env|csv|xml|properties|cfg|conf|plist))$/
const TEMPLATE = /(?:^|[._-])(?:example|sample|template|dist|tpl|defaults?|schema)(?:[._-]|$)/
/** In a folder with this name data is secret; programs that handle secrets are not. */
const SECRET_FOLDERS = set('secrets credentials')
const SECRET_DATA = /^[^.]*$|\.(?:json|ya?ml|toml|ini|txt|env|csv|xml|properties|cfg|conf|enc|b64)$/

const BINARY =
  /\.(?:png|jpe?g|gif|webp|avif|bmp|ico|icns|tiff?|psd|heic|pdf|zip|gz|tgz|bz2|xz|zst|7z|rar|tar|jar|war|ear|class|o|obj|a|so|dylib|dll|exe|bin|dat|wasm|pyc|pyo|node|woff2?|ttf|otf|eot|mp[34]|m4a|wav|ogg|flac|avi|mov|mkv|webm|sqlite3?|db|mdb|parquet|onnx|pt|safetensors|docx?|xlsx?|pptx?|odt|ods|keynote|dmg|iso|img|apk|ipa|deb|rpm|whl|gem|nupkg|lockb|ds_store)$/
const BUILT = /[.-]min\.(?:js|mjs|css)$|\.(?:js|mjs|css|ts)\.map$|\.tsbuildinfo$/
const CACHED = /^\.(?:eslintcache|stylelintcache)$|^thumbs\.db$/

/** Why a file is not read. */
export function fileReason(path: string): Reason | null {
  const name = path.toLowerCase().split('/').at(-1) ?? ''
  if (name === '.ds_store') return 'binary'
  if (KEY_FILE.test(name)) return 'secret-path'
  if (SECRET_FILE.test(name) && !TEMPLATE.test(name)) return 'secret-path'
  if (
    foldersOf(path).some((each) => SECRET_FOLDERS.has(each)) &&
    SECRET_DATA.test(name) &&
    !TEMPLATE.test(name)
  )
    return 'secret-path'
  if (CACHED.test(name)) return 'cache'
  if (BUILT.test(name)) return 'build'
  return BINARY.test(name) ? 'binary' : null
}

/** For a path known only by name, as in a diff: the rules for its folders, then those for its own name. */
export function pathReason(path: string): Reason | null {
  const parts = path.split('/')
  for (let i = 1; i < parts.length; i++) {
    const reason = folderReason(parts.slice(0, i).join('/'))
    if (reason !== null) return reason
  }
  return fileReason(path)
}

// A path as it may be shown and sent: forward slashes, no invisible characters, and no secret. A name is
// foreign data like any other.

export interface ShownPath {
  readonly path: string
  readonly hadSecret: boolean
}

export function shownPath(path: string): ShownPath {
  const { text, removed } = withoutKnownSecrets(path)
  return { path: forPath(text), hadSecret: removed.length > 0 }
}

// The rules of .gitignore and .witanignore files, read as git reads them: each applies to its own folder and
// below, the deeper file decides, .witanignore after .gitignore. They may come with a hostile repository:
// their size is limited, and a pattern with too many ways to match is widened, so that it hides more, never
// less.

const OURS = '.witanignore'
const NAMES = ['.gitignore', OURS]
const MAX_BYTES = 256 * 1024
const MAX_LINES = 2_000
const MAX_LINE = 500
const MAX_STARS = 3

/** The same pattern, or one that matches more in fewer ways; null for one that may be left out. */
function boundedPattern(line: string): string | null {
  if (line.length > MAX_LINE) return null
  const boundedSegment = (part: string) => {
    if (part === '**' || part.split(/\*+/).length - 1 <= MAX_STARS) return part
    const [first = '', ...rest] = part.split(/\*+/)
    return `${first}*${rest.at(-1) ?? ''}`
  }
  const parts = line.split('/').map(boundedSegment)
  const deep = parts.flatMap((part, i) => (part === '**' ? [i] : []))
  const [from = 0, to = 0] = [deep[0], deep.at(-1)]
  const joined = (deep.length > MAX_STARS ? [...parts.slice(0, from), ...parts.slice(to)] : parts).join('/')
  if (joined === line) return line
  return line.startsWith('!') ? null : joined
}

interface Layer {
  /** The folder that the patterns are relative to, as path from the top; empty for the top itself. */
  readonly folder: string
  readonly rules: Ignore
}

export type Layers = readonly Layer[]

async function patternsIn(folder: string, names: readonly string[]): Promise<string | null> {
  const texts: string[] = []
  for (const name of names) {
    const read = await readBounded(`${folder}/${name}`, MAX_BYTES)
    if ('bytes' in read) texts.push(new TextDecoder().decode(read.bytes))
  }
  if (texts.length === 0) return null
  const lines = texts.join('\n').split(/\r?\n/).slice(0, MAX_LINES)
  return lines.flatMap((line) => boundedPattern(line) ?? []).join('\n')
}

/** The layers with that of one more folder. */
export async function withFolder(
  layers: Layers,
  absolute: string,
  folder: string,
  names: readonly string[] = NAMES,
): Promise<Layers> {
  const patterns = await patternsIn(absolute, names)
  if (patterns === null) return layers
  const { default: ignore } = await import('ignore')
  return [...layers, { folder, rules: ignore({ allowRelativePaths: true }).add(patterns) }]
}

/** `path` from the top; a folder has a slash at its end. */
export function isIgnored(layers: Layers, path: string): boolean {
  let ignored = false
  for (const { folder, rules } of layers) {
    const inside = folder === '' ? path : path.slice(folder.length + 1)
    if (inside === '' || (folder !== '' && !path.startsWith(`${folder}/`))) continue
    const verdict = rules.test(inside)
    if (verdict.ignored) ignored = true
    else if (verdict.unignored) ignored = false
  }
  return ignored
}

/** Whether .witanignore alone hides a path, given from the top: .gitignore does not hide tracked files. */
export function hiddenByWitanignore(top: string): (path: string) => Promise<boolean> {
  const known = new Map<string, Promise<Layers>>()
  const readLayers = (folder: string): Promise<Layers> => {
    const cached = known.get(folder)
    if (cached) return cached
    const above =
      folder === '' ? Promise.resolve<Layers>([]) : readLayers(folder.split('/').slice(0, -1).join('/'))
    const layers = above.then((each) =>
      withFolder(each, folder === '' ? top : `${top}/${folder}`, folder, [OURS]),
    )
    known.set(folder, layers)
    return layers
  }
  return async (path) => {
    const parts = path.split('/')
    for (let i = 1; i <= parts.length; i++) {
      const layers = await readLayers(parts.slice(0, i - 1).join('/'))
      if (isIgnored(layers, parts.slice(0, i).join('/') + (i < parts.length ? '/' : ''))) return true
    }
    return false
  }
}
