import { expect, it } from 'vitest'
import { joinedCapabilities } from './combined-servers.ts'

it('AGT-X-8 tells a host every capability that any of several servers has, in any order of their answers', () => {
  const [telling, silent] = [{ tools: { listChanged: true } }, { tools: {}, logging: {} }]
  const joined = { tools: { listChanged: true }, logging: {} }
  expect(joinedCapabilities([telling, silent])).toEqual(joined)
  expect(joinedCapabilities([silent, telling])).toEqual(joined)
  expect(
    joinedCapabilities([
      { resources: { subscribe: true, listChanged: false } },
      { resources: { subscribe: false } },
    ]),
  ).toEqual({ resources: { subscribe: true, listChanged: false } })
})
