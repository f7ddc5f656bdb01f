// The project's own TypeScript files as text, for the tests that judge the project itself.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Source } from './citations.ts'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

/** Every `.ts` and `.tsx` file under `folder`, its path relative to the project and with forward slashes. */
export function readSources(folder: string): Source[] {
  if (!existsSync(join(projectRoot, folder))) return []
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .sort()
    .map((path) => ({ path, text: readFileSync(join(projectRoot, path), 'utf8') }))
}
