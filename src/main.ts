// The program that `witan` runs. Entrances do not know each other: this is where the command is handed the MCP server, the
// gateway, the worker and the console, each loaded only when it is wanted. A hook is started for every call of a host and loads
// nothing of the command.

export async function main(words: readonly string[]): Promise<void> {
  if (words[0] === 'hook' && !words.includes('--help')) {
    const { main: hook } = await import('./doors/attach/hook.ts')
    return hook(words.slice(1))
  }
  const { main: command } = await import('./doors/cli/main.ts')
  return command(words, {
    serveMcp: async () => (await import('./doors/mcp/serve.ts')).serve,
    serveGateway: async () => (await import('./doors/gateway/serve.ts')).serve,
    serveWorker: async () => (await import('./doors/worker/serve.ts')).serve,
    serveConsole: async () => (await import('./doors/console/serve.ts')).serve,
  })
}
