// Codex runs only hooks that its user trusted. What the user does in its terminal is done here over its own app server.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

interface Hook {
  readonly key: string
  readonly currentHash: string
}

interface Answer {
  readonly id?: number
  readonly result?: { readonly data?: readonly { readonly hooks?: readonly Hook[] }[] }
}

export async function trustCodexHooks(program: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const server = spawn(program, ['app-server'], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map<number, (answer: Answer) => void>()
  createInterface({ input: server.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let last = 0
  const send = (message: object) => server.stdin.write(`${JSON.stringify(message)}\n`)
  const call = (method: string, params: object) =>
    new Promise<Answer>((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      send({ id, method, params })
    })
  try {
    await call('initialize', { clientInfo: { name: 'witan-test', title: 'test', version: '1' } })
    send({ method: 'initialized' })
    const listed = await call('hooks/list', { cwds: [cwd] })
    const hooks = (listed.result?.data ?? []).flatMap((one) => one.hooks ?? [])
    const value = Object.fromEntries(
      hooks.map(({ key, currentHash }) => [key, { trusted_hash: currentHash }]),
    )
    await call('config/batchWrite', {
      edits: [{ keyPath: 'hooks.state', value, mergeStrategy: 'upsert' }],
      reloadUserConfig: true,
    })
  } finally {
    server.kill()
  }
}
