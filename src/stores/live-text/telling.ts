// Text under way in a home: told by every process that drives a trace, heard by a console, beside the ledger. What carries it is
// loaded with the first words. Where it cannot be had, nothing is told, and no run is the worse for it.

import type { Listener, LiveText, LiveTextSender } from './live-text.ts'

export interface LiveTextChannel {
  tell(trace: string, who: string, words: string | null): void
  close(): Promise<void>
}

async function senderFor(directory: string, postgres: string | null): Promise<LiveTextSender> {
  if (postgres !== null) return (await import('../postgres/live-table.ts')).tellByTable(postgres)
  return (await import('./socket.ts')).tellBySocket(directory)
}

export function liveTextChannel(directory: string, postgres: string | null): LiveTextChannel {
  let opening: Promise<LiveTextSender> | null = null
  let open: LiveTextSender | null = null
  return {
    tell(trace, who, words) {
      if (open !== null) return open.tell(trace, who, words)
      opening ??= senderFor(directory, postgres)
      void opening.then((teller) => {
        open = teller
        teller.tell(trace, who, words)
      })
    },
    async close() {
      await (await opening)?.close()
    },
  }
}

/** Hears what is written in traces of this home, by whichever process. */
export async function hearLiveText(
  directory: string,
  postgres: string | null,
  watched: () => readonly string[],
  hear: (writing: LiveText) => void,
): Promise<Listener> {
  if (postgres !== null) return (await import('../postgres/live-table.ts')).hearTable(postgres, watched, hear)
  return (await import('./socket.ts')).hearSocket(directory, hear)
}
