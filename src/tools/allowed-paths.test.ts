// Decisions about places, for paths of every shape: nothing here touches a file.
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forbiddenHere, pathFault, placeFault, segmentsOf, within } from './allowed-paths.ts'

const step = fc.oneof(
  fc.constantFrom(
    '..',
    '.',
    '',
    '...',
    '.witan',
    'keys',
    'a',
    '~',
    '%2e%2e',
    'C:',
    'file:',
    '..\\',
    '\u2025',
  ),
  fc.string({ maxLength: 6 }),
)
const path = fc.array(step, { minLength: 1, maxLength: 6 }).map((steps) => steps.join('/'))

describe('a path', () => {
  it('AGT-TOOL-6 that is accepted never leaves its root, with any parts', () => {
    fc.assert(
      fc.property(path, (given) => {
        if (pathFault(given) !== null) return
        const place = resolve(join('/root/of/it', ...segmentsOf(given)))
        expect(within('/root/of/it', place)).toBe(true)
        expect(place).toBe(resolve('/root/of/it', given))
      }),
      { numRuns: 2_000 },
    )
  })

  it('that climbs, is absolute or is an address is never accepted', () => {
    fc.assert(
      fc.property(path, path, (before, after) => {
        expect(pathFault(`${before}/../${after}`)).not.toBeNull()
        expect(pathFault(`/${before}`)).not.toBeNull()
        expect(pathFault(`file://${before}`)).not.toBeNull()
        expect(pathFault(`${before}\0${after}`)).not.toBeNull()
      }),
    )
  })
})

describe('a place', () => {
  const forbidden = forbiddenHere('/srv/witan', ['/srv/keys/critic.pem'], '/home/ana')

  it('AGT-TOOL-6 in the store, the keys or the credentials is never touched, under any root', () => {
    const hidden = fc.constantFrom('/srv/witan', '/srv/keys/critic.pem', '/home/ana/.ssh', '/home/ana/.aws')
    const root = fc.constantFrom('/', '/srv', '/srv/witan', '/home', '/home/ana', '/home/ana/.ssh')
    const below = fc.array(fc.constantFrom('a', 'b', '.c'), { maxLength: 3 })
    fc.assert(
      fc.property(root, hidden, below, (from, place, steps) => {
        expect(placeFault(from, join(place, ...steps), forbidden)).not.toBeNull()
      }),
    )
  })

  it('in the home is touched only through a root that is a project inside it', () => {
    expect(placeFault('/home/ana/project', '/home/ana/project/a', forbidden)).toBeNull()
    for (const root of ['/', '/home', '/home/ana']) {
      expect(placeFault(root, '/home/ana/project/a', forbidden)).toMatch(/home of the user/)
      expect(placeFault(root, '/home/ana', forbidden)).toMatch(/home of the user/)
    }
    expect(placeFault('/home/ana/project', '/home/ana/projects', forbidden)).toMatch(/leads out/)
    expect(within('/a/b', '/a/b..c')).toBe(false)
    expect(within('/a', '/a/..b')).toBe(true)
  })
})
