// How a second console of a home finds the first: the home records where it listens and its secret. The first
// gives it a new link; one that does not answer is gone.

import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import type { ConsoleNote } from '../../app/console/console-note.ts'

export const NEW_LINK_PATH = '/again'
const PATIENCE_MS = 2_000
const MAX_ANSWER_CHARS = 1_000

export const newSecret = (): string => randomBytes(32).toString('hex')

/** A link into the console that runs already; null when none answers. */
export function requestNewLink({ name, port, secret }: ConsoleNote): Promise<string | null> {
  if (secret === null || port === 0) return Promise.resolve(null)
  const origin = `http://${name}.localhost:${port}`
  return new Promise((resolve) => {
    const headers = { host: `${name}.localhost:${port}`, authorization: `Bearer ${secret}` }
    const options = {
      host: '127.0.0.1',
      port,
      path: NEW_LINK_PATH,
      headers,
      timeout: PATIENCE_MS,
      agent: false,
    }
    const asked = get(options, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        if (text.length > MAX_ANSWER_CHARS) asked.destroy()
      })
      response.on('end', () => {
        // Only a link into that console is accepted: another program may listen there by now.
        const isLink = response.statusCode === 200 && text.startsWith(`${origin}/open?link=`)
        resolve(isLink && /^[0-9a-f]{64}$/.test(text.slice(`${origin}/open?link=`.length)) ? text : null)
      })
    })
    asked.on('error', () => resolve(null))
    asked.on('timeout', () => asked.destroy())
    asked.on('close', () => resolve(null))
  })
}
