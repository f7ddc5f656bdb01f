import { expect, it } from 'vitest'
import type { Schedule } from '../../app/queue/schedules.ts'
import { beginScheduled } from './scheduled.ts'

const due = (words: readonly string[]): Schedule => ({
  ...{
    name: words.join('-'),
    cron: '* * * * *',
    timezone: 'UTC',
    words,
    folder: null,
    tenant: 'ana',
    tag: null,
  },
  ...{ nextAt: '2026-11-18T00:00:00.000Z', lastAt: null, lastTrace: null, error: null },
})

it('APP-14 begins only commands that can be scheduled, also if the database names another', async () => {
  const stop = new AbortController()
  const begun: string[] = []
  const told: unknown[] = []
  const worker = {
    isReady: true,
    takeDue: async () => [
      due(['keys', 'revoke', 'x']),
      due(['agents', 'approve']),
      due(['eval', 'set.jsonl', '--yes']),
      due(['ask', 'Why?']),
    ],
    tellScheduled: async (name: string, came: { trace: string | null; error: string | null }) => {
      told.push([name, came.trace, came.error])
      if (name === 'ask-Why?') stop.abort()
    },
  }
  await beginScheduled(worker, {
    begin: async (words) => {
      begun.push(words.join(' '))
      return '01TRACE'
    },
    say: () => undefined,
    signal: stop.signal,
    everyMs: 1,
  })
  expect(begun).toEqual([
    'eval set.jsonl --yes --queue --json --tenant ana',
    'ask Why? --queue --json --tenant ana',
  ])
  expect(told).toEqual([
    ['keys-revoke-x', null, 'witan keys cannot be scheduled'],
    ['agents-approve', null, 'witan agents cannot be scheduled'],
    ['eval-set.jsonl---yes', '01TRACE', null],
    ['ask-Why?', '01TRACE', null],
  ])
})
