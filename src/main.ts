// The program that `witan` runs. Entrances do not know each other: here the command gets the MCP server, the
// gateway, the worker and the console, each loaded on first use. The hook, which a host starts for each of
// its calls, is a separate program (bin/witan.js).

import { main as command } from './doors/cli/main.ts'

export { printRest } from './doors/cli/main.ts'

export const main = (words: readonly string[]): Promise<void> =>
  command(words, {
    serveMcp: async () => (await import('./doors/mcp/serve.ts')).serve,
    serveGateway: async () => (await import('./doors/gateway/serve.ts')).serve,
    serveWorker: async () => (await import('./doors/worker/serve.ts')).serve,
    serveConsole: async () => (await import('./doors/console/serve.ts')).serve,
  })
