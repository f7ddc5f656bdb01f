// The person at the terminal: asked on stderr, answering on stdin. What is asked about is shown first.

import { NO_PERSON, type Person, type Sending } from '../../app/person.ts'
import { NO_PAINT, type Paint } from '../../render/paint.ts'
import { plain } from '../../render/plain.ts'
import type { Call } from './command.ts'
import { saysYes } from './yes-or-no.ts'

interface Manner {
  readonly json: boolean
  readonly quiet: boolean
}

interface Look {
  readonly paint: Paint
  readonly width: number
}

async function linesOf({ material, folders, providers }: Sending, look: Look): Promise<readonly string[]> {
  if (material.kind === 'council') {
    const { previewLines } = await import('../../render/preview.ts')
    return previewLines(material.preview, look)
  }
  return [
    'What would be sent, and to whom',
    `  The task ${plain(material.task)} lets ${plain(providers.join(', '))} think in a session.`,
    `  They are shown what its tools (${plain(material.tools.join(', '))}) give back from:`,
    ...folders.map((folder) => `  ${plain(folder)}`),
  ]
}

/** NO_PERSON where none can be asked: no terminal, or a machine reads the output. */
export function terminalPerson({ json, quiet }: Manner, look: Look = { paint: NO_PAINT, width: 80 }): Person {
  if (!process.stdin.isTTY || !process.stderr.isTTY || json || quiet) return NO_PERSON
  return {
    async trustsFile({ file, faults }) {
      const lines = faults.map(({ line, key }) => `  line ${line}  ${plain(key)}`)
      process.stderr.write(
        `${plain(file)} wants to decide\nwhat runs on this machine and who is asked:\n${lines.join('\n')}\n`,
      )
      return saysYes('Did you read it, and trust it as it is now? [y/N] ')
    },
    async allowsSending(sending) {
      const lines = await linesOf(sending, look)
      process.stderr.write(`\r\u001b[2K${lines.join('\n')}\n\n`)
      return saysYes(`Send this to ${sending.newcomers.join(', ')}? [y/N] `)
    },
  }
}

/** Where a host holds the reins, the terminal is somebody else's. */
export const personAt = (call: Call): Person =>
  call.signal === undefined
    ? terminalPerson({ json: call.flag('json'), quiet: call.flag('quiet') }, call)
    : NO_PERSON
