// The keys and the registry that lists them; requests that this console refused.

import { count, Id, IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import { isRegistry, rows } from '../state.ts'
import { Part, Table } from './part.tsx'

interface Keys {
  readonly keys: readonly {
    readonly id: string
    readonly agent: string
    readonly roles: readonly string[]
    readonly status: string
    readonly registered: number
    readonly revoked: { readonly seq: number; readonly reason: string } | null
    readonly private_key_here: boolean
    readonly locked: boolean
  }[]
}

function Registry() {
  const registry = [...rows.value.values()].find(isRegistry)
  if (!registry) return null
  const path = tracePath(registry.trace, 'events')
  return (
    <p>
      Registry:{' '}
      <a href={path} onClick={followLink(path)}>
        {count(registry.size, 'event')}
      </a>{' '}
      <Id text={registry.trace} />{' '}
      <a href={tracePath(registry.trace, 'verify')} onClick={followLink(tracePath(registry.trace, 'verify'))}>
        verify it
      </a>
    </p>
  )
}

export const KeysPart = () => (
  <Part<Keys> title="Keys and registry" path="/keys">
    {({ keys }) => (
      <>
        <Registry />
        <Table columns={['Who', 'Roles', 'Status', 'Private key', 'Key']}>
          {keys.map((key) => (
            <tr key={key.id}>
              <td>
                <IsolatedText text={key.agent} />
              </td>
              <td>{key.roles.join(', ')}</td>
              <td class={key.status === 'in force' ? '' : 'muted'}>
                {key.status}
                {key.revoked && (
                  <span class="block small">
                    <IsolatedText text={key.revoked.reason} />
                  </span>
                )}
              </td>
              <td>
                {key.private_key_here ? (key.locked ? 'here, with a passphrase' : 'here') : 'elsewhere'}
              </td>
              <td>
                <Id text={key.id} short />
              </td>
            </tr>
          ))}
        </Table>
        <p class="small muted">
          <code>witan keys add|rotate|revoke</code> change them, at a terminal.
        </p>
      </>
    )}
  </Part>
)

interface RefusedRequests {
  readonly refused: readonly { readonly words: string; readonly count: number }[]
  readonly sessions: number
}

export const AccessPart = () => (
  <Part<RefusedRequests> title="Turned away" path="/access">
    {({ refused, sessions }) => (
      <>
        <p>{sessions === 1 ? 'One session is open: this one.' : `${sessions} sessions are open.`}</p>
        <Table columns={['Refused since this console started', ['Times', 'number']]}>
          {refused.map(({ words, count: times }) => (
            <tr key={words} class={times === 0 ? 'muted' : ''}>
              <td class="wide">{words}</td>
              <td class="number">{times}</td>
            </tr>
          ))}
        </Table>
      </>
    )}
  </Part>
)
