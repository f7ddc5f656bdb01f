// A payload as a reader wants it: names and values, text as text. A payload can hold half a million values; only so
// many are ever laid out.

import type { ComponentChildren } from 'preact'
import type { Json } from '../../../../ledger/canonical.ts'
import type { Payload } from '../../../../ledger/event.ts'
import { Long, Said } from '../words/text.tsx'

const MOST_VALUES = 800
const DEEPEST = 8
const SHORT = 120

interface Budget {
  left: number
}

const More = ({ n }: { readonly n: number }) => <p class="muted">… and {n.toLocaleString('en')} more</p>

function Text({ value }: { readonly value: string }) {
  if (value === '') return <span class="muted">empty text</span>
  return value.length <= SHORT && !value.includes('\n') ? <Said text={value} /> : <Long text={value} />
}

function members(object: Payload, depth: number, budget: Budget): ComponentChildren {
  const all = Object.entries(object)
  if (all.length === 0) return <span class="muted">empty</span>
  const shown = []
  for (const [name, value] of all) {
    if (budget.left <= 0) break
    shown.push(
      <div key={name}>
        <dt>
          <Said text={name} />
        </dt>
        <dd>{view(value, depth + 1, budget)}</dd>
      </div>,
    )
  }
  return (
    <>
      <dl class="rows">{shown}</dl>
      {shown.length < all.length && <More n={all.length - shown.length} />}
    </>
  )
}

function items(list: readonly Json[], depth: number, budget: Budget): ComponentChildren {
  if (list.length === 0) return <span class="muted">empty list</span>
  const shown = []
  for (const [i, value] of list.entries()) {
    if (budget.left <= 0) break
    shown.push(<li key={i}>{view(value, depth + 1, budget)}</li>)
  }
  return (
    <>
      <ol class="items">{shown}</ol>
      {shown.length < list.length && <More n={list.length - shown.length} />}
    </>
  )
}

function view(value: Json, depth: number, budget: Budget): ComponentChildren {
  budget.left--
  if (typeof value === 'string') return <Text value={value} />
  if (typeof value !== 'object' || value === null) return <code class="literal">{String(value)}</code>
  if (depth > DEEPEST) return <Long text={JSON.stringify(value)} mono />
  return Array.isArray(value) ? items(value, depth, budget) : members(value as Payload, depth, budget)
}

/** The artifacts of a payload are shown apart, with their bytes. */
export function PayloadView({ payload }: { readonly payload: Payload }) {
  const { artifacts, ...rest } = payload
  if (artifacts !== undefined && Object.keys(rest).length === 0) return null
  return <>{members(rest, 0, { left: MOST_VALUES })}</>
}
