// All pending decisions, over all sessions: the exact call, what it would change, the reason for it, and the
// verdicts of the policy and the other critics. Each decision signs its own bytes; several are made at once
// only where they are similar.

import { useEffect, useState } from 'preact/hooks'
import { get, post } from '../client.ts'
import { clip, count, IsolatedText } from '../elements/text.tsx'
import { followLink, tracePath } from '../route.ts'
import { offerKeys } from '../shell/keyboard.ts'
import { rows, viewer, waitingCount, waitingRows } from '../state.ts'
import type { WireRow } from '../wire.ts'
import { Answer } from './answer.tsx'
import { showFault } from './confirm.tsx'
import { type Decision, objectText } from './decision.ts'
import { DecisionSubject, Grounds } from './decision-subject.tsx'
import { decisionKey, groupKey, hasSimilar, JointAnswer } from './joint-answer.tsx'

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

function ResumeOffer({ trace }: { readonly trace: string }) {
  const row = rows.value.get(trace)
  if (!row || row.standing === 'running' || row.standing === 'over' || viewer.value?.read_only) return null
  return (
    <p class="small">
      This session is not running. After your decision a worker resumes it, where there is one.{' '}
      <button type="button" onClick={() => void post('/runs/resume', { trace }).catch(showFault)}>
        Resume it here
      </button>
    </p>
  )
}

/** Exchanges that wait for a person: each is answered on its own page. */
function WaitingExchanges({ traces }: { readonly traces: readonly WireRow[] }) {
  if (traces.length === 0) return null
  return (
    <section aria-label="Answered on its own page">
      {traces.map(({ trace, about }) => (
        <p key={trace} class="notice warning">
          An exchange waits for its observer:{' '}
          <a href={tracePath(trace)} onClick={followLink(tracePath(trace))}>
            <IsolatedText text={clip(about ?? trace, 200)} />
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
  /** Counts selections. */
  const [answersGiven, setAnswersGiven] = useState(0)
  const [marked, setMarked] = useState<readonly string[]>([])
  const load = (): void =>
    void get<{ decisions: readonly Decision[]; unread: readonly string[] }>('/inbox').then((inbox) => {
      setDecisions(inbox.decisions)
      setUnread(inbox.unread)
    }, showFault)
  const waitsSeen = waitingCount.value
  // Every change of the pending decisions changes this number or the heads of the sessions.
  const lastHashes = [...rows.value.values()].map(({ last }) => last.hash).join()
  useEffect(load, [waitsSeen, lastHashes])
  const choose = (i: number): void => {
    setChosen(i)
    setAnswersGiven(answersGiven + 1)
  }
  // Where list and decision are not side by side, the selection would be out of sight.
  useEffect(() => {
    if (answersGiven === 0) return
    document.querySelector('.inbox-entry[aria-current]')?.scrollIntoView({ block: 'nearest' })
    if (matchMedia('(max-width: 75rem)').matches)
      document.querySelector('.decision')?.scrollIntoView({ block: 'start' })
  }, [answersGiven])
  useEffect(() =>
    offerKeys((key) => {
      if (key !== 'j' && key !== 'k') return false
      choose(Math.min((decisions?.length ?? 1) - 1, Math.max(0, chosen + (key === 'j' ? 1 : -1))))
      return true
    }),
  )
  if (decisions === null) return <p class="loading">Reading what waits…</p>
  const current = decisions[Math.min(chosen, decisions.length - 1)]
  const markedDecisions = decisions.filter((decision) => marked.includes(decisionKey(decision)))
  const waitingElsewhere = waitingRows.value.filter(({ protocol }) => !protocol.startsWith('agents/'))
  const total = decisions.length + waitingElsewhere.length
  const isAlike = new Set(markedDecisions.map(groupKey)).size === 1
  const mark = (decision: Decision, isMarked: boolean): void =>
    setMarked((before) => [
      ...before.filter((key) => key !== decisionKey(decision)),
      ...(isMarked ? [decisionKey(decision)] : []),
    ])
  return (
    <div class="inbox">
      <h1>
        {total === 0
          ? 'Nothing waits for you'
          : `${count(total, 'decision')} ${total === 1 ? 'waits' : 'wait'} for you`}
      </h1>
      <WaitingExchanges traces={waitingElsewhere} />
      {unread.map((text) => (
        <p key={text} class="notice bad">
          Not read, so what waits there is not shown: <IsolatedText text={text} />
        </p>
      ))}
      {total === 0 && (
        <p class="empty">
          When a session of agents needs a person, its question appears here: the exact call, and why. To see
          one: <code>witan demo agents</code>
        </p>
      )}
      <div class="inbox-columns">
        <ol class="inbox-list">
          {decisions.map((decision, i) => (
            <li key={decisionKey(decision)} class="inbox-item">
              {!viewer.value?.read_only && hasSimilar(decision, decisions) && (
                <input
                  type="checkbox"
                  aria-label={`Decide ${decision.subject} together with others`}
                  checked={marked.includes(decisionKey(decision))}
                  onChange={(event) => mark(decision, event.currentTarget.checked)}
                />
              )}
              <button
                type="button"
                class="inbox-entry"
                aria-current={decision === current ? 'true' : undefined}
                onClick={() => choose(i)}
              >
                <span class="block">
                  {kindText(decision)} <code class="muted">{decision.subject}</code>
                </span>
                <span class={decision.tool === null ? 'block' : 'block inbox-what'}>
                  <IsolatedText text={clip(objectText(decision), 120)} />
                </span>
                <span class="block small muted">
                  <IsolatedText text={clip(decision.objective, 80)} />
                </span>
              </button>
            </li>
          ))}
        </ol>
        {markedDecisions.length > 1 && isAlike && (
          <JointAnswer
            decisions={markedDecisions}
            done={() => {
              setMarked([])
              load()
            }}
          />
        )}
        {markedDecisions.length > 1 && !isAlike && (
          <p class="notice warning" role="status">
            These are not alike: several are decided together only when session, kind, tool and risk are the
            same.
          </p>
        )}
        {markedDecisions.length < 2 && current && (
          <section
            class="decision"
            aria-label={`Decision on ${current.subject}`}
            key={`${current.trace}/${current.action.id}`}
          >
            <p class="small muted">
              {kindText(current)} <code>{current.subject}</code> in{' '}
              <a href={tracePath(current.trace)} onClick={followLink(tracePath(current.trace))}>
                <IsolatedText text={clip(current.objective, 100)} />
              </a>
            </p>
            <DecisionSubject decision={current} />
            <Grounds decision={current} />
            <Answer decision={current} done={load} />
            <ResumeOffer trace={current.trace} />
          </section>
        )}
      </div>
    </div>
  )
}
