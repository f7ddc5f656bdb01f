// What the entries of a council say together: no seat twice, a quorum that can be met, and only servers that exist.

import type { ProviderSettings } from './provider.ts'
import { type Reading, report } from './yaml-shape.ts'

interface Council {
  readonly providers?: readonly ProviderSettings[]
  readonly quorum?: { readonly r1_min?: number }
}

/** The node at this path of the file, for its place. */
const nodeAt = ({ document }: Reading, path: readonly (string | number)[]): unknown =>
  document.getIn(path, true)

export function checkCouncil({ providers, quorum }: Council, key: string, reading: Reading): void {
  if (providers === undefined) return
  const seats = providers.map(({ name, model = null }) => JSON.stringify([name, model]))
  for (const [i, seat] of seats.entries()) {
    if (seats.indexOf(seat) === i) continue
    const next = 'Give each its own model, or remove one of the two.'
    const name = providers[i]?.name
    const node = nodeAt(reading, [key, 'providers', i])
    report(reading, node, `${key}.providers[${i}]`, `${name} with this model sits here a second time`, next)
  }
  const participants = providers.filter(
    ({ role }) => role === undefined || role.includes('participant'),
  ).length
  if (participants === 0) {
    const next = 'Give at least one provider the role participant.'
    report(reading, nodeAt(reading, [key, 'providers']), `${key}.providers`, `nobody participates`, next)
  }
  const least = quorum?.r1_min ?? 0
  if (least > participants && participants > 0) {
    const message = `${key}.quorum.r1_min is ${least}, and only ${participants} participate`
    report(
      reading,
      nodeAt(reading, [key, 'quorum', 'r1_min']),
      `${key}.quorum.r1_min`,
      message,
      'Lower it, or add providers.',
    )
  }
}

/** `servers` are those of this file and of the home's. */
export function checkServers(
  providers: readonly ProviderSettings[],
  servers: readonly string[],
  reading: Reading,
): void {
  for (const [i, { mcp }] of providers.entries()) {
    if (mcp?.server === undefined || servers.includes(mcp.server)) continue
    const key = `council.providers[${i}].mcp.server`
    const next = servers.length > 0 ? `There are: ${servers.join(', ')}.` : 'Describe it under mcp_servers.'
    const node = nodeAt(reading, ['council', 'providers', i, 'mcp', 'server'])
    report(reading, node, key, `there is no server '${mcp.server}' among mcp_servers`, next)
  }
}
