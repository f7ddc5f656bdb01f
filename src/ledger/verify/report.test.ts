import { describe, expect, it } from 'vitest'
import { AT, atHome, judge, openScene } from '../../../test/support/tamper.ts'
import { sha256 } from '../../stores/digest.ts'
import { CHECKS, Findings, reportDigest, withFaults } from './report.ts'

describe('the findings of a report', () => {
  it('VER-1 give a pass, a pass with warnings, or a failure by one error', () => {
    const found = new Findings()
    expect(found.status).toBe('pass')
    found.add('trust', 'TRUST_UNPINNED', 'x', { severity: 'warning' })
    expect(found.status).toBe('pass-with-warnings')
    found.add('chain', 'CHAIN_BREAK', 'y', { event: 'T/1' })
    expect(found.status).toBe('fail')
    expect(found.failures).toMatchObject([
      { code: 'TRUST_UNPINNED', severity: 'warning', event: null, artifact: null },
      { code: 'CHAIN_BREAK', severity: 'error', event: 'T/1', suggested_action: expect.any(String) },
    ])
  })

  it('VER-1 are listed check by check: failed, warned, passed, or skipped if nothing was examined', () => {
    const found = new Findings()
    found.examined('schema')
    found.examined('schema', 2)
    found.add('trust', 'TRUST_UNPINNED', 'x', { severity: 'warning' })
    found.add('chain', 'CHAIN_BREAK', 'y')
    const lines = Object.fromEntries(
      found.lines().map(({ check, status, examined }) => [check, [status, examined]]),
    )
    expect(Object.keys(lines)).toEqual([...CHECKS])
    expect(lines).toMatchObject({ schema: ['pass', 3], trust: ['warning', 0], chain: ['fail', 0] })
    expect(lines.signature).toEqual(['skipped', 0])
  })

  it('VER-1 have at most five hundred characters, and never half of one', () => {
    const found = new Findings()
    found.add('chain', 'CHAIN_BREAK', 'x'.repeat(500))
    found.add('chain', 'CHAIN_BREAK', `${'x'.repeat(499)}😀`)
    expect(found.failures.map(({ message }) => message)).toEqual([
      'x'.repeat(500),
      `${'x'.repeat(499)}\ufffd…`,
    ])
  })

  it('VER-1 change a report that was a pass if more is found beyond the bundle', async () => {
    const scene = await openScene(AT.intent)
    const report = judge(await atHome(scene), { ...scene.trust, witnesses: [] })
    expect(withFaults(report, 'checkpoints', 'LOG_TRUNCATED', [])).toBe(report)
    const faulty = withFaults({ ...report, attested: [{} as never] }, 'checkpoints', 'LOG_TRUNCATED', [
      { event: 'T/1', message: 'the tail is missing' },
    ])
    expect(faulty).toMatchObject({ status: 'fail', attested: [] })
    expect(faulty.checks.filter(({ status }) => status === 'fail').map(({ check }) => check)).toEqual([
      ...['checkpoints'],
    ])
    expect(faulty.failures).toMatchObject([{ code: 'LOG_TRUNCATED', event: 'T/1' }])
    expect(reportDigest(sha256, report)).toBe(reportDigest(sha256, structuredClone(report)))
    expect(reportDigest(sha256, faulty)).not.toBe(reportDigest(sha256, report))
  })
})
