import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { failureOf } from './failure.ts'

it('APP-9 explains a missing part of Witan: its files changed, and it must be started again', async () => {
  const gone = pathToFileURL('/nowhere/part-of-witan.mjs').href
  const error: unknown = await import(/* @vite-ignore */ gone).catch((cause: unknown) => cause)
  expect(failureOf(error)).toEqual({
    code: 'FILE_NOT_FOUND',
    message: expect.stringContaining('replaced or removed while it ran'),
    next: expect.stringContaining('start it again'),
  })
})
