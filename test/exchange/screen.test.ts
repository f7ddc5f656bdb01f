// What an observer sees at a terminal, kept whole at two widths. After a wanted change: delete the file, run this test,
// read what it wrote, and keep it.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { SPEAKERS } from '../../src/doors/cli/command.ts'
import { witan } from '../doors/command.ts'
import { openPoolHome, type PoolHome, type PoolScript } from '../support/pool-home.ts'
import { projectRoot } from '../support/sources.ts'
import { hasTmux, Pane } from '../support/tmux.ts'

const SAID: Readonly<Record<string, readonly string[]>> = {
  north: [
    'The question turns on who pays for the night crossings: the islands cannot, and the mainland has no reason to.',
    'A timetable that is not kept is worse than none. I would drop two sailings and keep the other nine.',
  ],
  south: [
    'North counts crossings. I count people left on the quay: on Fridays in March there were sixty-one.',
    'If the council owned one boat, the operator could not threaten to leave.',
  ],
  west: [
    'Neither of you has asked the crews. They sleep aboard, and it is the night sailing that makes them.',
    'Before we drop a sailing, let us see which one the hospital uses. \u001b[2J\u001b[31mAll is well.\r',
  ],
}

/** Each mind says its two things, then asks outright. */
const ferries: PoolScript = ({ model, index }) => {
  const said = SAID[model]?.[Math.floor(index / 3)]
  if (said !== undefined) return `what I think of it\n---\n${said}`
  const ask = `[RESTART] We argue inside a budget that ${model} never accepted. Let us begin again without it.`
  return `\n---\n${ask}\n---\nUntil then I can only repeat what I said.`
}

const golden = (name: string): string => join(projectRoot, 'test/exchange/screens', name)

function expectScreen(seen: string, name: string): void {
  const shown = `${seen.replaceAll(/\b01[0-9A-HJKMNP-TV-Z]{24}\b/g, '01EXAMPLE00000000000000000')}\n`
  if (!existsSync(golden(name))) {
    mkdirSync(golden(''), { recursive: true })
    writeFileSync(golden(name), shown)
    throw new Error(`there was no ${name}: read what was written, and keep it`)
  }
  expect(shown).toBe(readFileSync(golden(name), 'utf8'))
}

let house: PoolHome
let terms: string
beforeAll(async () => {
  house = await openPoolHome(['north', 'south', 'west', 'east'])
  house.script = ferries
  terms = await house.terms('ferries.yaml', {
    pool: {
      prompt: 'How should the island ferries be run?',
      minds: ['north', 'south', 'west'],
      parallel: false,
    },
    auditor: { mind: 'east', every: 50 },
    restart: { enough: 8 },
  })
})
afterAll(() => house.server.close())

const panes: Pane[] = []
afterEach(() => {
  for (const pane of panes.splice(0)) pane.close()
})

async function open(columns: number, env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  house.script = ferries
  ;(house.asked as unknown[]).length = 0
  const pane = new Pane({ ...house.where, columns, env }, 'exchange', ...args)
  panes.push(pane)
  return pane
}

describe.skipIf(!hasTmux)('a pool at a terminal', () => {
  it.each([80, 120])(
    'EXC-CHAT-1 EXC-INT-1 is one message a line, and at a signal says what each answer does, %i columns wide',
    { timeout: 120_000 },
    async (columns) => {
      const pane = await open(columns, {}, 'chat', '--terms', terms)
      await pane.reads('it can still be read')
      expectScreen(pane.screen(), `chat-signal-${columns}.txt`)
      pane.type('/halt')
      await pane.reads('halted')
    },
  )

  it('shows each mind in its own colour, and none to those who declined colours', {
    timeout: 120_000,
  }, async () => {
    const painted = await open(100, {}, 'run', '--terms', terms, '--rounds', '3')
    await painted.reads('trace 01')
    for (const [i, name] of ['north', 'south', 'west'].entries())
      expect(painted.screen({ painted: true })).toContain(`\u001b[38;5;${SPEAKERS[i]}m${name}`)
    const bare = await open(100, { NO_COLOR: '1' }, 'run', '--terms', terms, '--rounds', '3')
    await bare.reads('trace 01')
    expect(bare.screen({ painted: true })).not.toContain('\u001b[')
  })

  it('says who is writing as long as they are, and leaves what is being typed', {
    timeout: 120_000,
  }, async () => {
    let release = (): void => undefined
    // The screen says it before the request is on its way: what is released early stays released.
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const pane = await open(80, {}, 'chat', '--terms', terms)
    house.script = async (asked) => {
      if (asked.index === 1) await released
      return ferries(asked)
    }
    await pane.reads('south is writing…')
    pane.type('Stay with the crews.')
    await pane.reads('[OBSERVER] ana: Stay with the crews.')
    expect(pane.screen()).toMatch(
      /> Stay with the crews\.\n\[OBSERVER\][^\n]*\nround 2 [^\n]*south is writing…[^\n]*\n>$/,
    )
    release()
    await pane.reads('south  2.1')
    expect(pane.screen()).not.toContain('south is writing')
    pane.type('/halt')
    await pane.reads('halted')
  })
})

it('shows minds in colours that can be read on white and on black', () => {
  const channel = (value: number): number =>
    value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4
  const step = (level: number): number => (level === 0 ? 0 : 55 + 40 * level)
  for (const colour of SPEAKERS) {
    const cube = colour - 16
    const [red, green, blue] = [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map(step)
    const light =
      0.2126 * channel(red ?? 0) + 0.7152 * channel(green ?? 0) + 0.0722 * channel(blue ?? 0) + 0.05
    expect(Math.min(1.05 / light, light / 0.05), `colour ${colour}`).toBeGreaterThanOrEqual(4)
  }
})

describe('a chat into which nothing can be typed', () => {
  it('EXC-CHAT-1 begins nothing, says what to do, and exits with a code', async () => {
    const before = (await house.witan('list', '--json')).stdout
    for (const args of [['--demo'], ['--terms', terms]]) {
      const { code, stderr } = await witan(house.where, 'exchange', 'chat', ...args)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`witan exchange run ${args.join(' ')}`)])
    }
    expect((await house.witan('list', '--json')).stdout).toBe(before)
  })
})
