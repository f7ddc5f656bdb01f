// `npm run docs:configuration`: writes docs/configuration.md from the shapes of the built package.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { configurationReference } from '../dist/app/config/reference.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
mkdirSync(join(root, 'docs'), { recursive: true })
writeFileSync(join(root, 'docs/configuration.md'), configurationReference())
