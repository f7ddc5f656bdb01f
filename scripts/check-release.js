// `prepublishOnly`, and `node scripts/check-release.js [FOLDER]`: refuses to publish while the package does not say where it
// comes from. The checkout knows no public address of itself: the publisher writes the owner of theirs in place of OWNER.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), '..')
const read = (name) => readFileSync(join(root, name), 'utf8')
const manifest = JSON.parse(read('package.json'))
const server = JSON.parse(read('server.json'))

const PLACEHOLDER = 'OWNER'
const url = manifest.repository?.url ?? ''
const owner = /^git\+https:\/\/github\.com\/([^/]+)\/[^/]+\.git$/.exec(url)?.[1] ?? null
const namespace = /^io\.github\.([^/]+)\//.exec(manifest.mcpName ?? '')?.[1] ?? null
const versions = [manifest.version, server.version, ...server.packages.map(({ version }) => version)]

const faults = [
  ...([url, manifest.mcpName, server.name].some((text) => String(text).includes(PLACEHOLDER))
    ? [`${PLACEHOLDER} still stands for the owner of the public repository`]
    : []),
  ...(owner === null ? ['repository.url in package.json is not git+https://github.com/OWNER/NAME.git'] : []),
  ...(manifest.mcpName === server.name ? [] : ['mcpName in package.json is not the name in server.json']),
  ...(owner === namespace ? [] : ['repository and mcpName have different owners']),
  ...(new Set(versions).size === 1 ? [] : ['package.json and server.json have different versions']),
  ...(read('CHANGELOG.md').includes(`\n## [${manifest.version}]`)
    ? []
    : [`CHANGELOG.md has no section [${manifest.version}]`]),
]

for (const fault of faults) console.error(`not ready to be published: ${fault}`)
if (faults.length > 0) console.error('next: CONTRIBUTING.md, "Publishing a release"')
process.exitCode = faults.length > 0 ? 1 : 0
