import { describe, expect, it } from 'vitest'
import { expandArms, isFork, readArm, readPrimary, variantsOf } from './arms.ts'

const SEATS = ['ada', 'ben', 'x3', 'max2']

describe('the name of an arm', () => {
  it.each([
    ['council', { kind: 'council', variant: 'main' }],
    ['council-no-r2', { kind: 'council', variant: 'no-r2' }],
    ['council-short', { kind: 'council', variant: 'short' }],
    ['council:benx3', { kind: 'council', variant: 'solo.ben' }],
    ['vote', { kind: 'vote' }],
    ['best-single', { kind: 'best' }],
    ['single:ada', { kind: 'single', seat: 'ada' }],
    ['plain:ada', { kind: 'samples', seat: 'ada', n: 1, plain: true }],
    ['vote:ada', { kind: 'samples', seat: 'ada', n: null, plain: false }],
    ['vote:adax1', { kind: 'samples', seat: 'ada', n: 1, plain: false }],
    ['vote:adax25', { kind: 'samples', seat: 'ada', n: 25, plain: false }],
    // A seat whose own name ends like a number of answers.
    ['vote:max2', { kind: 'samples', seat: 'max2', n: null, plain: false }],
    ['vote:max2x3', { kind: 'samples', seat: 'max2', n: 3, plain: false }],
  ])('COU-X-4 %s is read', (name, arm) => {
    expect(readArm(name, SEATS)).toEqual(arm)
  })

  it.each([
    'single:zoe',
    'plain:zoe',
    'vote:zoe',
    'vote:zoex3',
    'vote:adax26',
    'vote:adax0',
    'council:ada',
    'council:zoex3',
    'council:benx2',
    'solo:ada',
    'ada',
    'votex3',
    '',
  ])('COU-X-4 "%s" is refused', (name) => {
    expect(readArm(name, SEATS)).toBeNull()
  })

  it('COU-X-4 `single` means every seat alone and the best of them, each arm once', () => {
    expect(expandArms(['council', 'single', 'single:ada', 'vote', 'council'], ['ada', 'ben'])).toEqual([
      'council',
      'single:ada',
      'single:ben',
      'best-single',
      'vote',
    ])
  })
})

describe('the primary comparison', () => {
  it('COU-X-4 is split so that both sides are arms', () => {
    expect(readPrimary('council:vote', SEATS)).toEqual({ arm: 'council', against: 'vote' })
    expect(readPrimary('council:vote:ada', SEATS)).toEqual({ arm: 'council', against: 'vote:ada' })
    expect(readPrimary('single:ada:vote:benx3', SEATS)).toEqual({ arm: 'single:ada', against: 'vote:benx3' })
  })

  it('COU-X-4 is between two different arms that are both known', () => {
    for (const text of ['council', 'council:', ':vote', 'council:council', 'council:oracle', 'oracle:vote'])
      expect(readPrimary(text, SEATS)).toBeNull()
  })
})

describe('the councils of an item', () => {
  it('COU-X-4 are the main one first, each variant once, and one more if stability is measured', () => {
    const arms = ['council', 'council-short', 'vote', 'council:benx3', 'single:ada'].flatMap(
      (name) => readArm(name, SEATS) ?? [],
    )
    expect(variantsOf(arms, false)).toEqual(['main', 'short', 'solo.ben'])
    expect(variantsOf([...arms, ...arms], true)).toEqual(['main', 'short', 'solo.ben', 'again'])
    expect(variantsOf([], false)).toEqual(['main'])
  })

  it('COU-X-4 continue from round one of the main council if a round is left out, and only then', () => {
    expect(['main', 'no-r2', 'short', 'again', 'solo.ben'].filter(isFork)).toEqual(['no-r2', 'short'])
  })
})
