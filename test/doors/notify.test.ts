// Who must decide is told, by a command and by a webhook, and is told nothing of what was said.

import { appendFile, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directory, type Where, witan } from './command.ts'

const heard: string[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    heard.push(body)
    response.end()
  })
})
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  url = `http://127.0.0.1:${address.port}/hook`
})
afterAll(() => void server.close())

async function homeWith(notify: object): Promise<Where & { readonly cwd: string }> {
  const cwd = await directory()
  const where = { home: join(cwd, 'home'), cwd }
  await witan(where, 'init')
  await appendFile(join(where.home, 'config.yaml'), `\nnotify: ${JSON.stringify(notify)}\n`)
  return where
}

const demoSession = async (where: Where) => {
  const ran = await witan(where, 'demo', 'agents', '--fast')
  const folder = /work on files in (\S+)\/shop/.exec(ran.stderr)?.[1]
  if (folder) await rm(folder, { recursive: true })
  return ran
}

describe('APP-13 a person who must decide', () => {
  it('is told by a webhook which trace waits, where, and what to type, and nothing else', async () => {
    const where = await homeWith({ url })
    heard.length = 0
    expect((await demoSession(where)).code).toBe(8)
    const [trace = ''] = (await witan(where, 'agents', 'pending', '--quiet')).stdout.split(' ')
    const notices = heard.map((body) => JSON.parse(body))
    expect(notices).toEqual([
      {
        what: 'waiting',
        trace,
        event: expect.stringMatching(new RegExp(`^${trace}/\\d+$`)),
        link: `witan agents pending ${trace}`,
      },
    ])
  })

  it('is told by a command when a trace is done, and only of what they want to know', async () => {
    const cwd = await directory()
    const file = join(cwd, 'notice.json')
    const command = ['sh', '-c', `cat > '${file}'; echo "$WITAN_WHAT $WITAN_TRACE" >> '${file}'`]
    const where = await homeWith({ command, on: ['done'] })
    expect((await demoSession(where)).code).toBe(8)
    await expect(readFile(file, 'utf8')).rejects.toThrow('ENOENT')
    const { json } = await witan(where, 'demo', '--fast', '--json')
    const trace = String(json.trace)
    const [notice = '', words] = (await readFile(file, 'utf8')).split('\n')
    expect(JSON.parse(notice)).toMatchObject({ what: 'done', trace, link: `witan show ${trace}` })
    expect(words).toBe(`done ${trace}`)
  })

  it('ends nothing when no one could be told, and says so', async () => {
    const where = await homeWith({ command: ['/nowhere/at-all'], url: 'http://127.0.0.1:9/' })
    const ran = await witan(where, 'demo', '--fast')
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(/not notified .*ENOENT; the webhook cannot be reached/)
  })

  it('is never chosen by a file that came with a clone', async () => {
    const where = await homeWith({})
    await appendFile(join(where.cwd, 'witan.yaml'), `notify: {url: "${url}"}\n`)
    heard.length = 0
    const ran = await witan(where, 'ask', 'Shall we?', '--seats', 'embedded')
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('FILE_UNTRUSTED')])
    expect(heard).toEqual([])
  })
})
