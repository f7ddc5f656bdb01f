// What a path alone says against reading a file. Names are judged, never guessed at by a substring: `*.sql` would drop
// migrations and `*token*` source files. What a name does not give away, the scan of contents has to find.

import type { Reason } from './exclusion.ts'

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

/** Output by these names, unless it stands among sources: `src/build/` is somebody's work. */
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
  /^(?:\.env(?:rc|\..*)?|[a-z0-9_-]+\.env|\.(?:pgpass|netrc|pypirc|git-credentials|htpasswd|dockercfg|my\.cnf|s3cfg|boto|vault-token)|_netrc|kubeconfig|wallet\.dat|credentials|client_secrets?[a-z0-9_.-]*\.json|service[_-]?account[a-z0-9_-]*\.json|(?:terraform|.*\.auto)\.tfvars(?:\.json)?|.*\.tfstate(?:\.backup)?|(?:[a-z0-9_.-]*[_.-])?(?:secrets?|credentials?|passwords?)\.(?:json|ya?ml|toml|ini|txt|env|csv|xml|properties|cfg|conf|plist))$/
const TEMPLATE = /(?:^|[._-])(?:example|sample|template|dist|tpl|defaults?|schema)(?:[._-]|$)/
/** In a folder of this name data is secret; programs that handle secrets are not. */
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

/** Of a path known only by name, as in a diff: what its folders say, then what its own name says. */
export function pathReason(path: string): Reason | null {
  const parts = path.split('/')
  for (let i = 1; i < parts.length; i++) {
    const reason = folderReason(parts.slice(0, i).join('/'))
    if (reason !== null) return reason
  }
  return fileReason(path)
}
