// Every promise marked as built has a test that names it, and no test names a promise that is not made or not yet
// built. The checker is shown to fail on planted faults before it judges the project.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Requirement, requirements } from '../spec/requirements.ts'
import { citations, coverageFaults, difference } from './support/citations.ts'
import { projectRoot, readSources } from './support/sources.ts'

const SELF = 'test/requirements.test.ts'

describe('the reader of citations', () => {
  const read = (text: string) => citations({ path: 'x.test.ts', text })

  it('finds ids in the names of tests and suites, in every form of call', () => {
    expect(read(`it('XLED-1 LED-1 and VER-10: both', () => {})`)).toEqual(['LED-1', 'VER-10'])
    expect(read(`test(\`COU-R1-1 \${x} AGT-ROLE-1\`, f)`)).toEqual(['COU-R1-1', 'AGT-ROLE-1'])
    expect(read(`describe.skipIf(no)('LED-2', () => { it.each([1])('LED-3 %s', f) })`)).toEqual([
      'LED-2',
      'LED-3',
    ])
  })

  it('counts neither comments, nor data, nor tests that do not run', () => {
    expect(read(`// it('LED-1', f)\nconst a = 'LED-2'; call('LED-3'); it('x', () => 'LED-4')`)).toEqual([])
    expect(read(`it.skip('LED-1', f); it.todo('LED-2'); describe.skip('s', () => it('LED-3', f))`)).toEqual(
      [],
    )
  })
})

describe('the coverage check', () => {
  const entry = (status: Requirement['status']): Requirement => ({
    text: 'So it is.',
    source: 'witan',
    status,
  })
  const sample = { 'LED-1': entry('built'), 'LED-2': entry('planned') }
  const faults = (text: string) => coverageFaults(sample, [{ path: 'x.test.ts', text }])

  it('passes when the built are cited and the planned are not', () => {
    expect(faults(`it('LED-1 holds', f)`)).toEqual([])
  })

  it('fails on a built id without a test, naming it', () => {
    expect(faults(`it('holds', f)`)).toEqual(['LED-1 is built but no test cites it: So it is.'])
  })

  it('fails on a planned id that a test cites', () => {
    expect(faults(`it('LED-1 LED-2 hold', f)`)).toEqual(['LED-2 is planned but x.test.ts cites it'])
  })

  it('fails on a cited id that does not exist', () => {
    expect(faults(`it('LED-1 COU-R9-1 hold', f)`)).toEqual(['COU-R9-1 in x.test.ts does not exist'])
  })

  it('tells two lists of ids apart in both directions', () => {
    expect(difference(['a', 'b'], ['b', 'c'])).toEqual(['c is missing here', 'a is only here'])
  })
})

describe('the requirements', () => {
  it('are each cited when built, uncited while planned, and known when cited', () => {
    const sources = [...readSources('src'), ...readSources('test')].filter(
      ({ path }) => path !== SELF && (path.endsWith('.test.ts') || path.includes('test/contracts/')),
    )
    expect(coverageFaults(requirements, sources)).toEqual([])
  })

  it('have a sentence each', () => {
    for (const [id, { text }] of Object.entries(requirements)) expect(text, id).toMatch(/^[A-Z].{15,120}\.$/)
  })

  it('are the clauses of the written list wherever that list is at hand', () => {
    const list = join(projectRoot, '../shared/REQUIREMENTS.md')
    const ours = Object.keys(requirements)
    const text = existsSync(list) ? readFileSync(list, 'utf8') : ours.map((id) => `- ${id} `).join('\n')
    const theirs = [...text.matchAll(/^- ([A-Z]+(?:-[A-Z]+\d*)?-\d+) /gm)].map((match) => match[1] ?? '')
    expect(difference(ours, theirs)).toEqual([])
  })
})
