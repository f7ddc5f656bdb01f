// Everything that waits for a person, over all sessions: the exact call, what it would change, why it is wanted, what
// the policy and the other critics said. Each is decided on its own bytes, several at once only where they are alike.

import { useEffect, useState } from 'preact/hooks'
import { get, post } from '../client.ts'
import { stay, tracePath } from '../route.ts'
import { offerKeys } from '../shell/keys.ts'
import { me, rows, waits } from '../state.ts'
import { clip, count, Said } from '../words/text.tsx'
import { propose, tellFault, told } from './confirm.tsx'
import type { Decision } from './decision.ts'
import { Grounds, Matter } from './matter.tsx'
import { alike, keyOf, likenessOf, Several } from './several.tsx'

const KINDS: Readonly<Record<string, string>> = {
  judge: 'A call',
  review: 'A proposal',
  weigh: 'A claim',
  resolve: 'A call that was cut off',
  propose: 'A proposal is wanted',
}

type Word = 'approve' | 'block' | 'challenge' | 'failed' | 'again'

const WORDS: Readonly<Record<string, readonly (readonly [Word, string])[]>> = {
  judge: [
    ['approve', 'Approve'],
    ['block', 'Block'],
  ],
  review: [
    ['approve', 'Approve'],
    ['block', 'Reject'],
  ],
  weigh: [
    ['approve', 'Accept'],
    ['challenge', 'Challenge'],
  ],
  resolve: [
    ['failed', 'It failed'],
    ['again', 'Intend it anew'],
  ],
}

function Answer({ decision, done }: { readonly decision: Decision; readonly done: () => void }) {
  const [reason, setReason] = useState('')
  const [minutes, setMinutes] = useState('15')
  const [maxRisk, setMaxRisk] = useState('')
  const words = WORDS[decision.kind] ?? []
  const say = (as: Word): void => {
    const conditions =
      decision.kind === 'review' && as === 'approve' && maxRisk !== '' ? { max_risk: maxRisk } : null
    const act = {
      act: 'decide',
      trace: decision.trace,
      subject: decision.subject,
      as,
      reason: reason === '' && as === 'approve' ? 'approved' : reason,
      ...(as === 'approve' && decision.kind === 'judge' && { minutes: Number(minutes) || 15 }),
      ...(conditions && { conditions }),
    }
    if (as !== 'approve' && reason.trim() === '') {
      told.value = {
        text: 'Say why: the reason is recorded and returned to the proposer.',
        tone: 'bad',
      }
      document.getElementById('reason')?.focus()
      return
    }
    void propose(`${as} ${decision.subject}`, act, { danger: as !== 'approve', done })
  }
  useEffect(() =>
    offerKeys((key) => {
      if (key !== 'a' || words.length === 0 || me.value?.read_only) return false
      say('approve')
      return true
    }),
  )
  if (me.value?.read_only || words.length === 0)
    return (
      <div>
        <p class="muted">
          {words.length === 0 ? 'Answer it in a terminal:' : 'This console only reads. In a terminal:'}
        </p>
        {decision.commands.map((command) => (
          <p key={command}>
            <code>
              <Said text={command} />
            </code>
          </p>
        ))}
      </div>
    )
  return (
    <form class="answer" onSubmit={(event) => event.preventDefault()}>
      <label for="reason">Reason (recorded permanently)</label>
      <input id="reason" value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
      {decision.kind === 'judge' && (
        <>
          <label for="minutes">Approval holds for minutes</label>
          <input
            id="minutes"
            inputMode="numeric"
            value={minutes}
            onInput={(event) => setMinutes(event.currentTarget.value)}
          />
        </>
      )}
      {decision.kind === 'review' && (
        <>
          <label for="max-risk">On condition: calls of at most this risk</label>
          <select id="max-risk" value={maxRisk} onChange={(event) => setMaxRisk(event.currentTarget.value)}>
            <option value="">no condition</option>
            <option>low</option>
            <option>medium</option>
            <option>high</option>
          </select>
        </>
      )}
      <p class="actions">
        {words.map(([as, title], i) => (
          <button key={as} type="button" class={i === 0 ? 'primary' : 'danger'} onClick={() => say(as)}>
            {title}…
          </button>
        ))}
        <span class="small muted">The next step shows what is signed.</span>
      </p>
    </form>
  )
}

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

export function Inbox() {
  const [decisions, setDecisions] = useState<readonly Decision[] | null>(null)
  const [chosen, setChosen] = useState(0)
  const [marked, setMarked] = useState<readonly string[]>([])
  const look = (): void =>
    void get<{ decisions: readonly Decision[] }>('/inbox').then(
      (found) => setDecisions(found.decisions),
      tellFault,
    )
  const seen = waits.value
  // Whatever changes what waits changes this number or the heads of the sessions.
  const heads = [...rows.value.values()].map(({ last }) => last.hash).join()
  useEffect(look, [seen, heads])
  useEffect(() =>
    offerKeys((key) => {
      if (key !== 'j' && key !== 'k') return false
      setChosen((at) => Math.min((decisions?.length ?? 1) - 1, Math.max(0, at + (key === 'j' ? 1 : -1))))
      return true
    }),
  )
  if (decisions === null) return <p class="loading">Reading what waits…</p>
  const now = decisions[Math.min(chosen, decisions.length - 1)]
  const together = decisions.filter((decision) => marked.includes(keyOf(decision)))
  const isAlike = new Set(together.map(likenessOf)).size === 1
  const mark = (decision: Decision, isMarked: boolean): void =>
    setMarked((before) => [
      ...before.filter((key) => key !== keyOf(decision)),
      ...(isMarked ? [keyOf(decision)] : []),
    ])
  return (
    <div class="inbox">
      <h1>
        {decisions.length === 0
          ? 'Nothing waits for you'
          : `${count(decisions.length, 'decision')} ${decisions.length === 1 ? 'waits' : 'wait'} for you`}
      </h1>
      {decisions.length === 0 && (
        <p class="empty">
          When a session of agents needs a person, its question appears here: the exact call, and why.
        </p>
      )}
      <div class="inbox-columns">
        <ol class="inbox-list">
          {decisions.map((decision, i) => (
            <li key={keyOf(decision)} class="inbox-item">
              {!me.value?.read_only && alike(decision, decisions).length > 1 && (
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
                onClick={() => setChosen(i)}
              >
                <span class="block">
                  {KINDS[decision.kind] ?? decision.kind} <code class="muted">{decision.subject}</code>
                </span>
                <span class="block inbox-what">
                  <Said text={clip(decision.about[0] ?? '', 120)} />
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
              {KINDS[now.kind] ?? now.kind} <code>{now.subject}</code> in{' '}
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
