// `witan console`: the application in a browser. The server is another entrance: the program that joins the
// two passes it in. Only the link goes to stdout.

import type { Serving } from '../../../app/console/serving.ts'
import { plainJson } from '../../../render/plain.ts'
import { openInBrowser } from '../browser.ts'
import { answerInterrupts, packageVersion, usage, type Verb } from '../command.ts'

export type ServeConsole = (serving: Serving) => Promise<void>

export const consoleVerb =
  (serve: ServeConsole): Verb =>
  async (call) => {
    const port = call.count('port')
    if (port !== null && port > 65_535) throw usage(`--port ${port} is no port`, 'Give one from 0 to 65535.')
    const hasTerminal = process.stdin.isTTY === true
    const isReadOnly = call.flag('read-only') || !hasTerminal
    const isJson = call.flag('json')
    const stop = new AbortController()
    const release = answerInterrupts(() => stop.abort())
    const tell = (words: string): void => {
      if (!call.flag('quiet') && !isJson) process.stderr.write(`${words}\n`)
    }
    const opening: Promise<unknown>[] = []
    try {
      await serve({
        home: call.home,
        postgres: call.postgres,
        config: call.text('config'),
        version: packageVersion(),
        port,
        isReadOnly,
        signal: stop.signal,
        ready(link, isOther) {
          process.stdout.write(isJson ? `${plainJson({ url: link })}\n` : `${link}\n`)
          if (isOther) return tell('A console of this home runs already: this link opens it.')
          tell('The link works once, for five minutes; witan console gives another. Ctrl-C ends the console.')
          if (isReadOnly)
            tell(
              hasTerminal
                ? 'It only reads.'
                : 'No terminal: it only reads. Start it at a terminal to decide and steer.',
            )
          if (call.flag('no-open') || isJson || !hasTerminal) return
          opening.push(
            openInBrowser(link).then(({ opened }) => opened || tell('No browser could be started.')),
          )
        },
      })
    } finally {
      await Promise.all(opening)
      release()
    }
    return { value: {}, lines: [], isSilent: true }
  }
