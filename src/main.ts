// The program that `witan` runs. Entrances do not know each other: this is where the command is handed the MCP server,
// which is loaded only when it is wanted.

import { main as command } from './doors/cli/main.ts'

export const main = (words: readonly string[]): Promise<void> =>
  command(words, { serveMcp: async () => (await import('./doors/mcp/serve.ts')).serve })
