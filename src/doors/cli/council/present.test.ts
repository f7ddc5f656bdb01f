import { describe, expect, it } from 'vitest'
import type { Occurrence } from '../../../protocol.ts'
import { NO_PAINT } from '../../../render/plain.ts'
import { showLive } from './present.ts'

const seat = (name: string) => ({ seat: name, model: null, roles: ['participant'], embedded: false })
const OPENED: Occurrence = {
  trace: '01M7QMAZ8Z4AN1BAHVB7NP428S',
  seq: 0,
  hash: '0'.repeat(64),
  at: '2026-11-18T10:00:00.000Z',
  type: 'council_opened',
  actor: { agent: 'clerk', role: 'clerk', key: '0'.repeat(64) },
  payload: { seats: [seat('claude'), seat('openai')], chairs: ['claude'], question: 'why', mode: 'ask' },
}

describe('a council on a terminal', () => {
  it('APP-10 is redrawn line by line, because tmux keeps lines that are cleared from the top of the screen', () => {
    const written: string[] = []
    const live = showLive({ isTTY: true, columns: 80, write: (text) => written.push(text) }, NO_PAINT, false)
    live.tell(OPENED)
    live.pause()
    live.resume()
    live.end()
    const frames = written.filter((text) => text.includes('claude'))
    expect(frames.length).toBeGreaterThan(0)
    for (const frame of frames) {
      const [lines = '', cleared] = frame.split('\u001b[0J')
      expect(lines).toContain('claude')
      expect(cleared).toBe('')
    }
  })
})
