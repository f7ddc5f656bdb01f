// Everything that waits for a person, over all sessions: the exact call, what it would change, why it is wanted, what
// the policy and the other critics said. Each is decided on its own bytes, several at once only where they are alike.

import { useEffect, useState } from 'preact/hooks'
import { get, post } from '../client.ts'
import { stay, tracePath } from '../route.ts'
import { offerKeys } from '../shell/keys.ts'
import { me, rows, waiting, waits } from '../state.ts'
import type { WireRow } from '../wire.ts'
import { clip, count, Said } from '../words/text.tsx'
import { Answer } from './answer.tsx'
import { tellFault } from './confirm.tsx'
import { type Decision, whatOf } from './decision.ts'
import { Grounds, Matter } from './matter.tsx'
import { hasAlike, keyOf, likenessOf, Several } from './several.tsx'

const KINDS: Readonly<Record<string, string>> = {
  judge: 'A call',
  review: 'A proposal',
  weigh: 'A claim',
  resolve: 'A call that was cut off',
  blocked: 'A call that was blocked',
  propose: 'A proposal is wanted',
}

const kindText = ({ kind, blocked }: Decision): string =>
  KINDS[kind === 'resolve' && blocked !== null ? 'blocked' : kind] ?? kind

function Going({ trace }: { readonly trace: string }) {
  const row = rows.value.get(trace)
  if (!row || row.standing === 'running' || row.standing === 'over' || me.value?.read_only) return null
  return (
    <p class="small">
      No clerk is at work on this session.{' '}
      <button type="button" onClick={() => void post('/runs/resume', { trace }).catch(tellFault)}>
        Resume it here
      </button>
    </p>
  )
}

/** What waits for a person elsewhere than in a session: it is answered where it stands. */
function Elsewhere({ traces }: { readonly traces: readonly WireRow[] }) {
  if (traces.length === 0) return null
  return (
    <section aria-label="Answered where it stands">
      {traces.map(({ trace, about }) => (
        <p key={trace} class="notice warning">
          An exchange waits for its observer:{' '}
          <a href={tracePath(trace)} onClick={stay(tracePath(trace))}>
            <Said text={clip(about ?? trace, 200)} />
          </a>
        </p>
      ))}
    </section>
  )
}

export function Inbox() {
  const [decisions, setDecisions] = useState<readonly Decision[] | null>(null)
  const [unread, setUnread] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState(0)
  /** How often something was chosen. */
  const [turn, setTurn] = useState(0)
  const [marked, setMarked] = useState<readonly string[]>([])
  const look = (): void =>
    void get<{ decisions: readonly Decision[]; unread: readonly string[] }>('/inbox').then((found) => {
      setDecisions(found.decisions)
      setUnread(found.unread)
    }, tellFault)
  const seen = waits.value
  // Every change of the pending decisions changes this number or the heads of the sessions.
  const heads = [...rows.value.values()].map(({ last }) => last.hash).join()
  useEffect(look, [seen, heads])
  const choose = (i: number): void => {
    setChosen(i)
    setTurn(turn + 1)
  }
  // Where list and decision do not stand side by side, what was chosen would be out of sight.
  useEffect(() => {
    if (turn === 0) return
    document.querySelector('.inbox-entry[aria-current]')?.scrollIntoView({ block: 'nearest' })
    if (matchMedia('(max-width: 75rem)').matches)
      document.querySelector('.decision')?.scrollIntoView({ block: 'start' })
  }, [turn])
  useEffect(() =>
    offerKeys((key) => {
      if (key !== 'j' && key !== 'k') return false
      choose(Math.min((decisions?.length ?? 1) - 1, Math.max(0, chosen + (key === 'j' ? 1 : -1))))
      return true
    }),
  )
  if (decisions === null) return <p class="loading">Reading what waits…</p>
  const now = decisions[Math.min(chosen, decisions.length - 1)]
  const together = decisions.filter((decision) => marked.includes(keyOf(decision)))
  const elsewhere = waiting.value.filter(({ protocol }) => !protocol.startsWith('agents/'))
  const all = decisions.length + elsewhere.length
  const isAlike = new Set(together.map(likenessOf)).size === 1
  const mark = (decision: Decision, isMarked: boolean): void =>
    setMarked((before) => [
      ...before.filter((key) => key !== keyOf(decision)),
      ...(isMarked ? [keyOf(decision)] : []),
    ])
  return (
    <div class="inbox">
      <h1>
        {all === 0
          ? 'Nothing waits for you'
          : `${count(all, 'decision')} ${all === 1 ? 'waits' : 'wait'} for you`}
      </h1>
      <Elsewhere traces={elsewhere} />
      {unread.map((text) => (
        <p key={text} class="notice bad">
          Not read, so what waits there is not shown: <Said text={text} />
        </p>
      ))}
      {all === 0 && (
        <p class="empty">
          When a session of agents needs a person, its question appears here: the exact call, and why. To see
          one: <code>witan demo agents</code>
        </p>
      )}
      <div class="inbox-columns">
        <ol class="inbox-list">
          {decisions.map((decision, i) => (
            <li key={keyOf(decision)} class="inbox-item">
              {!me.value?.read_only && hasAlike(decision, decisions) && (
                <input
                  type="checkbox"
                  aria-label={`Decide ${decision.subject} together with others`}
                  checked={marked.includes(keyOf(decision))}
                  onChange={(event) => mark(decision, event.currentTarget.checked)}
                />
              )}
              <button
                type="button"
                class="inbox-entry"
                aria-current={decision === now ? 'true' : undefined}
                onClick={() => choose(i)}
              >
                <span class="block">
                  {kindText(decision)} <code class="muted">{decision.subject}</code>
                </span>
                <span class={decision.tool === null ? 'block' : 'block inbox-what'}>
                  <Said text={clip(whatOf(decision), 120)} />
                </span>
                <span class="block small muted">
                  <Said text={clip(decision.objective, 80)} />
                </span>
              </button>
            </li>
          ))}
        </ol>
        {together.length > 1 && isAlike && (
          <Several
            decisions={together}
            done={() => {
              setMarked([])
              look()
            }}
          />
        )}
        {together.length > 1 && !isAlike && (
          <p class="notice warning" role="status">
            These are not alike: several are decided together only when session, kind, tool and risk are the
            same.
          </p>
        )}
        {together.length < 2 && now && (
          <section
            class="decision"
            aria-label={`Decision on ${now.subject}`}
            key={`${now.trace}/${now.action.id}`}
          >
            <p class="small muted">
              {kindText(now)} <code>{now.subject}</code> in{' '}
              <a href={tracePath(now.trace)} onClick={stay(tracePath(now.trace))}>
                <Said text={clip(now.objective, 100)} />
              </a>
            </p>
            <Matter decision={now} />
            <Grounds decision={now} />
            <Answer decision={now} done={look} />
            <Going trace={now.trace} />
          </section>
        )}
      </div>
    </div>
  )
}
