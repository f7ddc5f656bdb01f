// A paid answer that could not be read is kept, and the command shows it as it came, without what would steer a terminal.
import { expect, it } from 'vitest'
import { machines } from './table.ts'

const machine = machines()

it('VOX-16 shows what a model said though it could not be read', async () => {
  const raw = '{"summary":"It is \u001b[31mred\u001b[0m."} and no more'
  const here = await machine({ a: {}, b: {}, c: { R1: [{ careless: { raw } }] } })
  const { json } = await here.run('ask', 'Shall we?', '--json')
  const trace = String(json.trace)
  const shown = await here.run('show', trace, '--json')
  const events = shown.json.events as readonly { seq: number; header: { type: string } }[]
  const failed = String(events.find(({ header }) => header.type === 'opinion_failed')?.seq)
  const told = await here.run('show', trace, failed, 'raw.json')
  expect([told.code, told.stderr]).toEqual([0, ''])
  expect(told.stdout).toContain('and no more')
  expect(told.stdout).not.toContain('\u001b[31m')
  const whole = await here.run('show', trace, failed, 'raw.json', '--json')
  expect(JSON.parse(String(whole.json.text))).toMatchObject({ text: raw })
  const wrong = await here.run('show', trace, failed, 'raw.txt')
  expect([wrong.code, wrong.stderr]).toEqual([
    7,
    expect.stringContaining('request.json, reply.json, raw.json'),
  ])
})
