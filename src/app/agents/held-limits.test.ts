import { describe, expect, it } from 'vitest'
import { LIMITS } from '../../tools/index.ts'
import { unheldWords } from './held-limits.ts'

const bounds = {
  ...{ roots: [], hosts: [], commands: [], tools: ['*'], scripts: false, network: false },
  ...{ unconfined: false, limits: LIMITS },
}
const counting = { confined: true, by: 'counting', detail: 'counted (no groups)' } as const
const kernel = { confined: true, by: 'control-group', detail: 'by the kernel' } as const
const [memory, disk] = ['agents.limits.memory_mib', 'agents.limits.disk_mib']
const shell = [{ name: 'files.read' }, { name: 'shell.run' }]

describe('a user who set limits', () => {
  it('AGT-TOOL-6 is told once which limits the kernel does not enforce as a whole', () => {
    const set = { limitsSet: [memory, disk], bounds }
    expect(unheldWords(set, shell, counting)).toBe(
      `${memory}: enforced, but not by the kernel for a sandbox as a whole. counted (no groups).`,
    )
    expect(unheldWords(set, [{ name: 'mcp.tickets.list' }], counting)).toContain(memory)
    const free = { ...set, bounds: { ...bounds, unconfined: true } }
    expect(unheldWords(free, shell, kernel)).toBe(
      `Not held, since commands run unconfined: ${memory}, ${disk}.`,
    )
  })

  it('AGT-TOOL-6 is told nothing if no limit was set, nothing runs, or the kernel enforces it', () => {
    expect(unheldWords({ limitsSet: [], bounds }, shell, counting)).toBeNull()
    expect(unheldWords({ limitsSet: [memory], bounds }, [{ name: 'files.read' }], counting)).toBeNull()
    expect(unheldWords({ limitsSet: [memory], bounds }, shell, kernel)).toBeNull()
    expect(unheldWords({ limitsSet: [disk], bounds }, shell, counting)).toBeNull()
  })
})
