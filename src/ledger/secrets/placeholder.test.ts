import { describe, expect, it } from 'vitest'
import { looksLikePassword, looksRandom, placeholderReason } from './placeholder.ts'

describe('COU-C-2 a value', () => {
  it('is plainly made up where it says so, repeats itself, is filled in, or has few characters', () => {
    for (const value of [
      'my-example-key',
      'CHANGE_ME',
      'your_key',
      'put-it-here',
      'not_real',
      'TODO',
      'fakevalue',
    ])
      expect(placeholderReason(value)).toBe('It says itself that it is a placeholder.')
    for (const value of ['a1b2xxxxxxxxc3', '********9aZ', '0123.........'])
      expect(placeholderReason(value)).toBe('It repeats one character.')
    for (const value of [
      `\${A}`,
      '{{ a }}',
      '$(cat x)',
      '<the name>',
      '$HOME',
      'process.env.A',
      'ENV["A"]',
      '%(a)s',
    ])
      expect(placeholderReason(value)).toBe('It is filled in from elsewhere.')
    for (const value of ['abab1abab', 'aaabbbccc', 'abcabcabc'])
      expect(placeholderReason(value)).toBe('It has too few different characters to be a key.')
    for (const value of ['abcd', 'q7Zt4Kx9', 'bbbbbbbQ7Zt4Kx9']) expect(placeholderReason(value)).toBeNull()
  })

  it('looks random under a name: letters and digits, long and even enough, less so for a pass phrase', () => {
    expect(looksRandom('token', 'q7Zt4Kx9Lm2Pw8Rv')).toBe(true)
    expect(looksRandom('token', 'q7Zt4Kx9Lm2Pw8R')).toBe(false)
    expect(looksRandom('token', 'abcdabcdabcdabcd1')).toBe(false)
    expect(looksRandom('password', 'abc1def')).toBe(true)
    expect(looksRandom('password', 'ab1ab1')).toBe(false)
    for (const name of ['token_hash', 'tokenUrl', 'secretName', 'token_id', 'keyFormat'])
      expect(looksRandom(name, 'q7Zt4Kx9Lm2Pw8Rv')).toBe(false)
    for (const value of [
      'qZtKxLmPwRvBnMqW',
      '7394028561730294',
      './q7Zt4Kx9Lm2Pw8',
      'q7Zt4Kx9[Lm2Pw8Rv',
      'C:\\q7Zt4Kx9Lm2Pw',
    ])
      expect(looksRandom('token', value)).toBe(false)
  })

  it('looks like a password of a person: no word, name, path, call, version or number', () => {
    for (const value of ['hunter22', 'Tr0ub4dor&3', 'Summer!Rain', 'x9-kk-17ab', 'a1b2c3'])
      expect(looksLikePassword(value)).toBe(true)
    for (const value of [
      ...[
        'a1b2c',
        `${'a1'.repeat(32)}x`,
        '12345678',
        'required',
        'must-be-long',
        'Summer',
        'v1.2.3',
        '12.5kg',
      ],
      ...[
        'get(a1b2)',
        '/etc/pass1',
        '~/a1b2c3',
        '@user123',
        'http://a1b2',
        '$HOME123',
        'a1b2$(x)',
        '**a1b2**',
      ],
      ...['user.name1', 'some_name12', 'a|b1c2d3', 'a<b1c2d3', 'summer!rain', 'SUMMER!RAIN'],
    ])
      expect(looksLikePassword(value), value).toBe(false)
    expect(looksLikePassword(`${'a1'.repeat(32)}`)).toBe(true)
  })
})
