// `witan mcp --http` as a process of its own.

import { start, type Where } from '../doors/command.ts'

export interface OpenSite {
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

export async function openSite(where: Where, ...options: readonly string[]): Promise<OpenSite> {
  const child = start(['mcp', '--http', ...options], where)
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let said = ''
  for await (const chunk of child.stderr ?? []) {
    said += String(chunk)
    if (said.includes('Ctrl-C')) break
  }
  return {
    url: /at (\S+)/.exec(said)?.[1] ?? '',
    token: /Bearer (\S+)/.exec(said)?.[1] ?? '',
    async close() {
      child.kill('SIGINT')
      await gone
    },
  }
}
