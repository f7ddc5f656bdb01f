// The first command that someone types: a whole council without a key, and nothing in it that could be taken for a
// model's answer.

import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasTerminal, Terminal } from '../support/terminal.ts'
import { directory, type Json, type Where, witan } from './command.ts'

const fresh = async (): Promise<Where & { readonly cwd: string }> => {
  const cwd = await directory()
  return { home: join(cwd, 'home'), cwd }
}

const MARK = 'scripted demo, no model was asked'

/** What is told without the mark. Rows that continue something are indented; below it may stand an empty line. */
const unmarked = (told: string): readonly string[] =>
  told
    .split(/\n(?=\S)/)
    .filter((one) => one.trim() !== '')
    .filter((one) => !one.trimEnd().endsWith(MARK) && !one.replaceAll(/\s+/g, ' ').includes(`(${MARK})`))

interface Shown {
  readonly trace: string
  readonly status: string
  readonly verification: string
  readonly report: {
    readonly decision: string
    readonly notices: readonly string[]
    readonly position_changes: readonly { readonly seat: string }[]
    readonly unresolved: readonly object[]
    readonly unsupported: readonly object[]
  }
}

describe('APP-1 witan demo', () => {
  it('holds a whole council in a home that was not there, with dissent, and verifies it', async () => {
    const where = await fresh()
    const ran = await witan(where, 'demo', '--fast')
    expect(ran.code).toBe(0)
    expect(ran.stderr).toMatch(/^scripted demo, no model was asked\n/)
    for (const round of ['R1', 'R2', 'R3']) expect(ran.stderr).toContain(`${round} scripted-ada`)
    expect(ran.stdout).toContain('Scripted demo: no model was asked.')
    expect(ran.stdout).toMatch(/^PASS {2}01/m)
    for (const way of ['ANTHROPIC_API_KEY', 'codex', 'ollama']) expect(ran.stderr).toContain(way)
    const again = await witan(where, 'verify', 'last', '--json')
    expect(again.json).toMatchObject({ status: 'pass', failures: [] })
  })

  it('disagrees, is convinced, and leaves a severe point open; every citation holds', async () => {
    const { json } = await witan(await fresh(), 'demo', '--fast', '--json')
    const shown = json as unknown as Shown
    expect(shown).toMatchObject({ status: 'reported', verification: 'pass', scripted: true })
    expect(shown.report.position_changes).toMatchObject([{ seat: 'scripted-ada' }])
    expect(shown.report.unresolved).toHaveLength(1)
    expect(shown.report.unsupported).toEqual([])
  })

  it('says that it is scripted in the signed opening, in every form of the report and in every export', async () => {
    const where = await fresh()
    const notice = 'Scripted demo: no model was asked.'
    for (const format of ['md', 'html', 'json', 'sarif', 'text']) {
      const ran = await witan(where, 'demo', '--fast', '--format', format, '-o', `report.${format}`)
      expect(ran.code).toBe(0)
      expect(await readFile(join(where.cwd, `report.${format}`), 'utf8')).toContain(notice)
    }
    const { payload } = (await witan(where, 'show', 'last', '0', '--json')).json as { payload: object }
    expect(payload).toMatchObject({ scripted: true })
    await witan(where, 'export', 'last', '-o', 'demo.witan')
    const read = await witan({ ...where, home: join(where.cwd, 'none') }, 'show', 'demo.witan')
    expect(read.stdout).toContain('scripted')
  })

  it('says that it is scripted in the forms for other programs, where they have room for it', async () => {
    const where = await fresh()
    await witan(where, 'demo', '--fast', '--quiet')
    // A fork has no opening of its own.
    await witan(where, 'fork', 'last', '--after', 'R2', '--chair', 'scripted-ben', '--quiet')
    const lines = async (form: string): Promise<readonly Json[]> => {
      expect((await witan(where, 'export', 'last', `--${form}`, '-o', form)).code).toBe(0)
      const text = await readFile(join(where.cwd, form), 'utf8')
      return text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Json)
    }
    const body = ({ payload }: Json): string => Buffer.from(String(payload), 'base64').toString()
    for (const envelope of await lines('dsse')) expect(envelope.note).toBe(MARK)
    const [statement = {}] = await lines('statement')
    expect(JSON.parse(body(statement))).toMatchObject({ predicate: { scripted: true } })
    expect(await lines('flat')).toMatchObject([{ scripted: true }])
    const signers = (await lines('sigstore')).map((one) => body(one.dsseEnvelope as Json))
    expect(signers.filter((header) => header.includes('"scripted-ben"'))).not.toEqual([])
    const honest = await witan(where, 'ask', 'Shall we?', '--seats', 'embedded', '--quiet')
    expect(honest.code).toBe(0)
    await witan(where, 'export', 'last', '--dsse', '-o', 'honest')
    await witan(where, 'export', 'last', '--statement', '-o', 'stated')
    for (const file of ['honest', 'stated']) {
      const text = await readFile(join(where.cwd, file), 'utf8')
      expect(text + body(JSON.parse(text.split('\n')[0] ?? '') as Json)).not.toContain('scripted')
    }
  })

  it('marks every line that it tells of the rounds', async () => {
    const { stderr } = await witan(await fresh(), 'demo', '--fast')
    const told = stderr.slice(stderr.indexOf('R1 '), stderr.indexOf('\nNow with models'))
    expect(unmarked(told)).toEqual([])
  })

  it.skipIf(!hasTerminal)(
    'shows on a terminal what is being written, as words',
    async () => {
      const terminal = new Terminal(await fresh(), 'demo')
      await terminal.reads('Nobody has counted the dup')
      await terminal.reads(' chars ')
      await terminal.reads('PASS')
      expect(await terminal.ended).toBe(0)
      expect(terminal.screen).not.toContain('"understanding"')
      expect(terminal.screen).not.toContain('":')
    },
    60_000,
  )

  it('APP-10 has its report again in every form, on one screen by default', async () => {
    const where = await fresh()
    const ran = await witan(where, 'demo', '--fast')
    const again = await witan(where, 'report', 'last')
    expect(again.code).toBe(0)
    expect(again.stdout.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
    expect(ran.stdout).toContain(again.stdout)
    expect(again.stdout).toContain('Votes    scripted-ada reject (was adopt):')
    expect(again.stdout).not.toMatch(/\b(op|rv)-\d/)
    const full = await witan(where, 'report', 'last', '--full')
    expect(full.stdout).toContain('How to check it')
    await witan(where, 'report', 'last', '-o', 'again.html')
    expect(await readFile(join(where.cwd, 'again.html'), 'utf8')).toContain('<main>')
    const registry = await witan(where, 'report', 'registry')
    expect([registry.code, registry.stderr]).toEqual([2, expect.stringContaining('witan show')])
  })

  it('APP-10 opens in the browser that is named, and names the page where there is none', async () => {
    const where = await fresh()
    await witan(where, 'demo', '--fast')
    const env = { BROWSER: process.execPath }
    const opened = await witan({ ...where, env }, 'open', 'last', '--json')
    expect(opened.json).toMatchObject({ opened: true })
    const { file } = (await witan({ ...where, env: { BROWSER: '/nowhere' } }, 'open', 'last', '--json'))
      .json as { file: string; opened: boolean }
    expect(await readFile(file, 'utf8')).toContain('Scripted demo: no model was asked.')
    for (const page of [file, (opened.json as { file: string }).file])
      await rm(dirname(page), { recursive: true })
  })

  it('can be forked with its scripted members, and with no one else', async () => {
    const where = await fresh()
    await witan(where, 'demo', '--fast')
    const fork = await witan(where, 'fork', 'last', '--after', 'R2', '--chair', 'scripted-ben', '--json')
    expect(fork.code).toBe(0)
    expect(fork.json).toMatchObject({
      report: { chair: 'scripted-ben', notices: ['Scripted demo: no model was asked.'] },
    })
  })
})

describe('APP-1 witan demo agents', () => {
  it.skipIf(!hasTerminal)(
    'blocks a call, asks for an approval that only a person can give, and proves what was done',
    async () => {
      const where = await fresh()
      const terminal = new Terminal(where, 'demo', 'agents', '--fast')
      await terminal.reads('scripted demo, no model was asked')
      await terminal.reads('critic-scripted-cal blocked p1-i2 (write customers.csv)')
      await terminal.reads('This deletes a customer, which nobody asked for.')
      await terminal.reads('→ overwrite: 1 line out, 1 line in')
      await terminal.reads('scripted-cal: approve. One number changes')
      await terminal.reads('[y] approve')
      const before = terminal.screen.length
      terminal.type('d')
      await terminal.reads('15 minutes after you approve')
      terminal.type('y')
      await terminal.reads('Reason (recorded permanently): ')
      expect(terminal.screen.slice(before)).toContain('scripted demo, no model was asked')
      terminal.type('one number, as asked')
      expect(await terminal.ended).toBe(0)
      expect(terminal.screen).toContain('PASS')
      const folder = /work on files in (\S+\/shop)/.exec(terminal.screen)?.[1] ?? ''
      expect(await readFile(join(folder, 'settings.ini'), 'utf8')).toContain('retries = 5')
      expect(await readFile(join(folder, 'customers.csv'), 'utf8')).toContain('Ben')
      await rm(dirname(folder), { recursive: true })
      const { payload } = (await witan(where, 'show', 'last', '0', '--json')).json as { payload: object }
      expect(payload).toMatchObject({ scripted: true })
      const verified = await witan(where, 'verify', 'last', '--json')
      expect(verified.json).toMatchObject({ status: 'pass', failures: [] })
      for (const form of [
        ['-o', 'demo.witan'],
        ['--html', '-o', 'demo.html'],
      ])
        expect((await witan(where, 'export', 'last', ...form)).code).toBe(0)
      const read = await witan({ ...where, home: join(where.cwd, 'none') }, 'show', 'demo.witan')
      expect(read.stdout).toContain('scripted demo, no model was asked')
    },
    60_000,
  )

  it('waits where no one can be asked, and goes on with the same script', async () => {
    const where = await fresh()
    const ran = await witan(where, 'demo', 'agents', '--fast')
    expect(ran.code).toBe(8)
    expect(ran.stderr).toContain('witan agents approve')
    const told = ran.stderr.slice(
      ran.stderr.indexOf('(scripted demo'),
      ran.stderr.indexOf('\n  witan agents approve'),
    )
    expect(unmarked(told)).toEqual([])
    for (const repeated of [ran.stdout, (await witan(where, 'agents', 'pending')).stdout]) {
      expect(repeated).toContain('settings.ini  → overwrite')
      expect(repeated).toContain('scripted demo, no model was asked')
      expect(Math.max(...repeated.split('\n').map((row) => row.length))).toBeLessThanOrEqual(80)
    }
    const { json } = await witan(where, 'resume', 'last', '--json')
    expect(json).toMatchObject({ status: 'waiting', actions: ['judge/p1-i3/human/1/1'] })
    const folder = /work on files in (\S+)\/shop/.exec(ran.stderr)?.[1] ?? ''
    await rm(folder, { recursive: true })
    const wrong = await witan(where, 'demo', 'agents', '--format', 'html')
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is for the report of a council')])
  })
})

describe('APP-1 witan demo exchange', () => {
  it('lets a pool ask for other terms, and goes on with the same script once it was answered', async () => {
    const where = await fresh()
    const ran = await witan(where, 'demo', 'exchange', '--fast')
    expect(ran.code).toBe(0)
    expect(ran.stderr).toContain('signal 1: the pool asks for a restart')
    const told = ran.stderr.slice(
      ran.stderr.indexOf('round 1'),
      ran.stderr.indexOf('\nwitan exchange answer'),
    )
    expect(unmarked(told)).toEqual([])
    expect(ran.stdout).toContain('scripted demo: no language model was asked')
    expect(ran.stdout).toMatch(/^PASS {2}01/m)
    const first = (await witan(where, 'show', 'last', '0', '--json')).json as { payload: object }
    expect(JSON.stringify(first.payload)).toContain('"model":"scripted-ida"')
    const answered = await witan(
      where,
      'exchange',
      'answer',
      'last',
      '--with',
      'acknowledge',
      '--reason',
      'yes',
    )
    expect(answered.code).toBe(0)
    const on = await witan(where, 'exchange', 'run', 'last', '--rounds', '2')
    expect(on.code).toBe(0)
    expect(on.stdout).toContain('scripted demo')
  })
})
