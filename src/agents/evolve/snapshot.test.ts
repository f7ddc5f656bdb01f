import { describe, expect, it } from 'vitest'
import { AttachedWalk, attachedTask } from '../../../test/support/agents-attached.ts'
import { WALKS } from '../../../test/support/agents-scenarios.ts'
import { agents, Walk } from '../../../test/support/agents-walk.ts'
import { expectSnapshotsHold } from '../../../test/support/snapshot.ts'

describe('a kept session', () => {
  it('AGT-X-7 folds on as if it had never been saved, at every event of an attached session', () => {
    const walk = new AttachedWalk({
      assess: (tool) => ({ decision: tool === 'mcp__x' ? 'deny' : 'allow', needs: 'none', risk: 'low' }),
    })
    walk.open(attachedTask()).run(undefined, false)
    walk.announce('c1').announce('c2').announce('c3', { tool: 'mcp__x' }).gap()
    walk.start('p1-i2', 'c2').complete('p1-i2').start('p1-i1', 'c1').end().run()
    expect(walk.phase).toBe('completed')
    expect(expectSnapshotsHold(agents, walk.events)).toBe(walk.events.length)
  })

  it('AGT-X-7 folds on in the same way in a session of a written plan', () => {
    const walk = new Walk()
    walk.open().run()
    expect(expectSnapshotsHold(agents, walk.events)).toBeGreaterThan(0)
  })

  it('VOX-15 folds on in the same way while incomplete answers are asked for again', () => {
    for (const walk of WALKS.slice(0, 3))
      expect(expectSnapshotsHold(agents, walk().events)).toBeGreaterThan(0)
  })
})
