// The branches of an exchange as a tree, and two of them side by side: common themes, lost and new ones, and
// what each wrote since they parted.

import { useEffect, useState } from 'preact/hooks'
import type { ClusterNote } from '../../../../exchange/events.ts'
import { get, type RefusedRequest } from '../client.ts'
import { Scroll } from '../elements/scroll.tsx'
import { count, IsolatedText, safeParts } from '../elements/text.tsx'
import { Clock } from '../elements/time.tsx'
import { followLink, navigate, route, tracePath } from '../route.ts'
import { standingText } from '../shell/sidebar.tsx'
import { rows } from '../state.ts'
import type { ViewProps } from '../trace/view-props.ts'
import { type Branch, branchesOf } from './branch-tree.ts'

interface ComparedMessage {
  readonly id: string
  readonly author: string
  readonly text: string
}

interface ComparedTraces {
  readonly parted: number
  readonly gained: readonly ClusterNote[]
  readonly lost: readonly ClusterNote[]
  readonly shared: readonly {
    readonly a: ClusterNote
    readonly b: ClusterNote
    readonly distance: number | null
    readonly moved: boolean
  }[]
  readonly rounds: readonly {
    readonly round: number
    readonly a: readonly ComparedMessage[]
    readonly b: readonly ComparedMessage[]
  }[]
}

const shortId = (trace: string): string => `…${trace.slice(-6)}`

const Themes = ({ title, notes }: { readonly title: string; readonly notes: readonly ClusterNote[] }) => (
  <div>
    <h3>
      {title} <span class="muted">{notes.length}</span>
    </h3>
    <ul class="themes">
      {notes.map(({ id, label, size }) => (
        <li key={id}>
          <IsolatedText text={label} /> <span class="muted small">{count(size, 'message')}</span>
        </li>
      ))}
    </ul>
  </div>
)

const MessageList = ({ words }: { readonly words: readonly ComparedMessage[] }) => (
  <td class="wide">
    {words.map(({ id, author, text }) => (
      <p key={id}>
        <strong>
          <IsolatedText text={author} />
        </strong>{' '}
        <span dir="auto">{safeParts(text)}</span>
      </p>
    ))}
    {words.length === 0 && <span class="muted">nothing</span>}
  </td>
)

function Comparison({ one, other }: { readonly one: string; readonly other: string }) {
  const [comparison, setComparison] = useState<ComparedTraces | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    let isLate = false
    setComparison(null)
    setFault(null)
    get<ComparedTraces>(`/traces/${one}/compare/${other}`).then(
      (value) => isLate || setComparison(value),
      (error: RefusedRequest) => isLate || setFault(`${error.message}. ${error.next}`),
    )
    return () => {
      isLate = true
    }
  }, [one, other])
  if (fault !== null)
    return (
      <p class="notice bad" role="alert">
        <IsolatedText text={fault} />
      </p>
    )
  if (comparison === null) return <p class="loading">Comparing…</p>
  const { parted, gained, lost, shared, rounds } = comparison
  return (
    <section class="comparison" aria-labelledby="comparison-title" data-parted={parted}>
      <h2 id="comparison-title">
        {shortId(one)} compared with {shortId(other)}
      </h2>
      <p>{parted === 0 ? 'They share no round.' : `They are the same up to round ${parted}.`}</p>
      <div class="theme-columns">
        <Themes title="Only here" notes={lost} />
        <Themes title="Only there" notes={gained} />
        <Themes title="In both" notes={shared.map(({ a }) => a)} />
        <Themes title="Moved" notes={shared.flatMap(({ b, moved }) => (moved ? b : []))} />
      </div>
      <Scroll>
        <table class="list">
          <caption class="small muted">What each wrote since they parted</caption>
          <thead>
            <tr>
              <th scope="col" class="number">
                Round
              </th>
              <th scope="col">{shortId(one)}</th>
              <th scope="col">{shortId(other)}</th>
            </tr>
          </thead>
          <tbody>
            {rounds.map(({ round, a, b }) => (
              <tr key={round}>
                <th scope="row" class="number">
                  {round}
                </th>
                <MessageList words={a} />
                <MessageList words={b} />
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  )
}

function BranchRow({
  branch,
  trace,
  other,
}: {
  readonly branch: Branch
  readonly trace: string
  readonly other: string | null
}) {
  const { row, depth } = branch
  const isHere = row.trace === trace
  return (
    <li class={`branch branch-${Math.min(depth, 8)}`}>
      <a
        href={tracePath(row.trace)}
        onClick={followLink(tracePath(row.trace))}
        aria-current={isHere ? 'page' : undefined}
        data-entry
      >
        {depth === 0 ? 'first branch' : `from round ${row.parent?.round ?? '?'}`}{' '}
        <code>{shortId(row.trace)}</code>
      </a>{' '}
      <span class="small muted">
        {standingText(row)}, begun <Clock at={row.started} day />
      </span>{' '}
      {isHere ? (
        <strong class="small">this one</strong>
      ) : (
        <button
          type="button"
          class="link small"
          aria-pressed={other === row.trace}
          aria-label={`Compare with ${shortId(row.trace)}`}
          onClick={() => navigate(`${tracePath(trace, 'branches')}?with=${row.trace}`)}
        >
          compare
        </button>
      )}
    </li>
  )
}

export function BranchesView({ model }: ViewProps) {
  const { trace } = model
  const current = route.value
  const other = current.at === 'trace' ? current.other : null
  const branches = branchesOf(trace, rows.value)
  return (
    <section aria-labelledby="branches-title">
      <h2 id="branches-title">Branches</h2>
      {branches.length < 2 && (
        <p class="empty">One course so far. The pool’s observer branches or rolls back under Pool.</p>
      )}
      <ul class="branches">
        {branches.map((branch) => (
          <BranchRow key={branch.row.trace} branch={branch} trace={trace} other={other} />
        ))}
      </ul>
      {other !== null && other !== trace && <Comparison one={trace} other={other} />}
    </section>
  )
}
