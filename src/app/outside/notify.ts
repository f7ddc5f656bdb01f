// Notices for people who decide: a command or a webhook of the home's own settings is told that a trace waits
// or is done. It gets the trace, the event and the command to type, but no content. A failed notice does not
// end the run.

import { spawn } from 'node:child_process'
import type { Notice } from '../../clerk/ports.ts'
import { homeConfig } from '../config/config.ts'

const LIMIT_MS = 10_000

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

function run([program = '', ...args]: readonly string[], notice: Notice): Promise<string | null> {
  return new Promise((resolve) => {
    const { PATH, HOME } = process.env
    const env = {
      PATH,
      HOME,
      WITAN_WHAT: notice.what,
      WITAN_TRACE: notice.trace,
      WITAN_EVENT: notice.event,
      WITAN_LINK: notice.link,
    }
    const child = spawn(program, args, { env, stdio: ['pipe', 'ignore', 'ignore'], timeout: LIMIT_MS })
    child.once('error', (error) => resolve(wordsOf(error)))
    child.once('close', (code) => resolve(code === 0 ? null : `${program} ended with code ${code}`))
    // A command that reads nothing closes its end before everything was written.
    child.stdin.on('error', () => undefined)
    child.stdin.end(`${JSON.stringify(notice)}\n`)
  })
}

async function post(url: string, notice: Notice): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notice),
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    await answer.body?.cancel()
    return answer.ok ? null : `the webhook answered ${answer.status}`
  } catch (error) {
    return `the webhook cannot be reached: ${wordsOf(error)}`
  }
}

/** From the home's own settings; those of a project are ignored. */
export async function notifyAs(home: string, notice: Notice): Promise<string | null> {
  const { notify } = (await homeConfig(home))?.sections ?? {}
  if (!notify || !(notify.on ?? ['waiting', 'done']).includes(notice.what)) return null
  const faults = await Promise.all([
    notify.command ? run(notify.command, notice) : null,
    notify.url ? post(notify.url, notice) : null,
  ])
  const messages = faults.filter((fault) => fault !== null)
  return messages.length === 0 ? null : messages.join('; ')
}
