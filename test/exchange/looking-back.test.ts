import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { witan } from '../doors/command.ts'
import { FAKE_KEY, type FakeEmbeddings, startFakeEmbeddings } from '../fakes/embeddings.ts'
import { openPoolHome, type PoolHome, plainScript, traceOf, verifyFault } from '../support/pool-home.ts'

type Row = Record<string, unknown> & { readonly id: string; readonly text: string }

let house: PoolHome
let [trace, branch] = ['', '']
beforeAll(async () => {
  house = await openPoolHome()
  const terms = await house.terms('terms.yaml')
  trace = traceOf(await house.witan('exchange', 'run', '--terms', terms, '--rounds', '5', '--json'))
  const { json } = await house.witan('exchange', 'branch', trace, '--at', '2', '--json')
  branch = String(json.into)
  house.script = (asked) =>
    asked.isAudit
      ? plainScript(asked)
      : '\n---\nBread is baked from flour and yeast.\n---\nA baker kneads the dough for bread.'
  traceOf(await house.witan('exchange', 'run', branch, '--rounds', '4', '--json'))
})
afterAll(() => house.server.close())

async function exported(of: string, file: string): Promise<readonly Row[]> {
  const ran = await house.witan(
    'exchange',
    'export',
    of,
    '--format',
    'jsonl',
    '-o',
    file,
    '--force',
    '--json',
  )
  traceOf(ran)
  const text = await readFile(join(house.where.cwd, file), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

describe('looking back at an exchange', () => {
  it('EXC-DET-1 exports flat rows of everything that was said, parents of a branch included', async () => {
    const rows = await exported(branch, 'rows.jsonl')
    expect(Object.keys(rows[0] ?? {}).sort()).toEqual(
      [
        ...['author', 'branch', 'cluster', 'encoder', 'event', 'id', 'input_tokens', 'kind', 'output_tokens'],
        ...['round', 'sampled', 'score', 'text', 'vector'],
      ].sort(),
    )
    const minds = rows.filter(({ kind }) => kind === 'mind')
    expect(minds.filter((row) => row.branch === trace).map(({ round }) => round)).toEqual([
      1, 1, 1, 1, 2, 2, 2, 2,
    ])
    expect(minds.filter((row) => row.branch === branch).every(({ text }) => /bread/i.test(text))).toBe(true)
    expect(minds.every(({ vector }) => (vector as readonly number[]).length === 512)).toBe(true)
    expect(minds.slice(0, 2).map(({ input_tokens }) => input_tokens)).toEqual([100, null])
    expect(minds.at(-1)?.sampled).toContain(String(minds[4]?.id))
    expect(rows.map(({ kind }) => kind)).toContain('auditor_role')
  })

  it('EXC-DET-1 the same terms and replies give the same messages, samples and clusters', async () => {
    house.script = plainScript
    const again = traceOf(
      await house.witan('exchange', 'run', '--terms', 'terms.yaml', '--rounds', '5', '--json'),
    )
    const apart = ({ branch: _, event: __, ...row }: Row): object => row
    expect((await exported(again, 'again.jsonl')).map(apart)).toEqual(
      (await exported(trace, 'rows.jsonl')).map(apart),
    )
  })

  it('EXC-BR-1 compares two courses: what each has alone, and the messages side by side', async () => {
    const { json } = await house.witan('exchange', 'compare', trace, branch, '--json')
    expect(json.parted).toBe(2)
    expect((json.gained as readonly { label: string }[]).map(({ label }) => /bread/.test(label))).toEqual([
      true,
    ])
    const [first] = json.rounds as readonly { round: number; a: readonly Row[]; b: readonly Row[] }[]
    expect(first?.round).toBe(3)
    const words = await house.witan('exchange', 'compare', trace, branch)
    expect(words.stdout).toMatch(/only in B {2}k\d+ .*bread/)
    expect(words.stdout).toMatch(/4\.1 one: Rivers.* │ 4\.1 one: Bread/)
  })

  it('draws the pool as one page or one picture', async () => {
    for (const [name, drawn] of [
      ['map.html', '<script type="application/json" id="map">'],
      ['map.svg', '</svg>'],
    ] as const) {
      const ran = await house.witan('exchange', 'map', branch, '-o', name, '--json')
      expect(ran.json).toMatchObject({ file: name, left_out: 0 })
      expect(await readFile(join(house.where.cwd, name), 'utf8')).toContain(drawn)
    }
    // Audits are placed too; where it stands, an exchange counts what its minds wrote.
    const { json } = await house.witan('exchange', 'map', trace, '-o', 'trace.svg', '--json')
    const { totals } = (await house.witan('exchange', 'status', trace, '--json')).json
    expect(json.by_minds).toBe((totals as { readonly messages: number }).messages)
    expect(Number(json.messages)).toBeGreaterThan(Number(json.by_minds))
    expect((await house.witan('exchange', 'map', branch, '-o', 'map.png')).code).toBe(2)
    expect((await house.witan('exchange', 'map', branch, '-o', 'map.svg')).code).toBe(2)
  })
})

describe('another encoder', () => {
  let provider: FakeEmbeddings
  beforeAll(async () => {
    provider = await startFakeEmbeddings('openai')
  })
  afterAll(() => provider.close())

  it('EXC-EMB-1 is refused until the vectors are made anew, which loses nothing', {
    timeout: 300_000,
  }, async () => {
    const env = {
      WITAN_EMBEDDINGS: 'openai-compatible:words',
      WITAN_EMBEDDINGS_URL: provider.url,
      WITAN_EMBEDDINGS_KEY: FAKE_KEY,
    }
    const there = (...args: readonly string[]) => witan({ ...house.where, env }, 'exchange', ...args)
    const before = await exported(trace, 'before.jsonl')
    const mixed = await there('run', trace, '--rounds', '1')
    expect([mixed.code, mixed.stderr]).toEqual([
      5,
      expect.stringContaining(`witan exchange reembed ${trace}`),
    ])
    traceOf(await there('reembed', trace, '--json'))
    const after = await exported(trace, 'after.jsonl')
    expect(after.map(({ id, text }) => [id, text])).toEqual(before.map(({ id, text }) => [id, text]))
    expect(new Set(after.flatMap(({ encoder }) => encoder ?? []))).toEqual(
      new Set([expect.stringMatching(/^openai-compatible:words:/)]),
    )
    traceOf(await there('run', trace, '--rounds', '1', '--json'))
    expect((await house.witan('exchange', 'compare', trace, branch)).code).toBe(5)
    expect(await verifyFault(house, trace)).toBeNull()
  })

  it('EXC-EMB-1 is given to every message there ever was, so that none is lost from a map', async () => {
    const small = await house.terms('small.yaml', { pool: { window: 4 }, auditor: { every: 50 } })
    const long = traceOf(await house.witan('exchange', 'run', '--terms', small, '--rounds', '3', '--json'))
    const before = await exported(long, 'before.jsonl')
    const mapped = async () =>
      (await house.witan('exchange', 'map', long, '-o', 'all.svg', '--force', '--json')).json
    expect(await mapped()).toMatchObject({ messages: 12, left_out: 0 })
    process.env.WITAN_EMBEDDINGS = 'openai-compatible:words'
    process.env.WITAN_EMBEDDINGS_URL = provider.url
    process.env.WITAN_EMBEDDINGS_KEY = FAKE_KEY
    traceOf(await house.witan('exchange', 'reembed', long, '--json'))
    const after = await exported(long, 'after.jsonl')
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    expect(new Set(after.map(({ encoder }) => String(encoder).split(':')[1]))).toEqual(new Set(['words']))
    // What had left the window keeps what was made of it when it was new.
    const scores = (rows: readonly Row[]) => rows.slice(0, 8).map(({ score }) => score)
    expect(scores(after)).toEqual(scores(before))
    expect(await mapped()).toMatchObject({ messages: 12, left_out: 0 })
    traceOf(await house.witan('exchange', 'run', long, '--rounds', '1', '--json'))
    expect(await verifyFault(house, long)).toBeNull()
  })
})
