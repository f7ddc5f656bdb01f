// A payload for a reader: names and values, text as text. A payload can contain half a million values; only a
// limited number is ever rendered.

import type { ComponentChildren } from 'preact'
import type { Json } from '../../../../ledger/canonical.ts'
import type { Payload } from '../../../../ledger/event.ts'
import { IsolatedText, Long } from '../elements/text.tsx'

const MOST_VALUES = 800
const MAX_DEPTH = 8
const SHORT_CHARS = 120

interface Budget {
  remaining: number
}

const MoreCount = ({ n }: { readonly n: number }) => <p class="muted">… and {n.toLocaleString('en')} more</p>

function Text({ value }: { readonly value: string }) {
  if (value === '') return <span class="muted">empty text</span>
  return value.length <= SHORT_CHARS && !value.includes('\n') ? (
    <IsolatedText text={value} />
  ) : (
    <Long text={value} />
  )
}

function renderMembers(object: Payload, depth: number, budget: Budget): ComponentChildren {
  const all = Object.entries(object)
  if (all.length === 0) return <span class="muted">empty</span>
  const shown = []
  for (const [name, value] of all) {
    if (budget.remaining <= 0) break
    shown.push(
      <div key={name}>
        <dt>
          <IsolatedText text={name} />
        </dt>
        <dd>{renderValue(value, depth + 1, budget)}</dd>
      </div>,
    )
  }
  return (
    <>
      <dl class="rows">{shown}</dl>
      {shown.length < all.length && <MoreCount n={all.length - shown.length} />}
    </>
  )
}

function renderItems(list: readonly Json[], depth: number, budget: Budget): ComponentChildren {
  if (list.length === 0) return <span class="muted">empty list</span>
  const shown = []
  for (const [i, value] of list.entries()) {
    if (budget.remaining <= 0) break
    shown.push(<li key={i}>{renderValue(value, depth + 1, budget)}</li>)
  }
  return (
    <>
      <ol class="items">{shown}</ol>
      {shown.length < list.length && <MoreCount n={list.length - shown.length} />}
    </>
  )
}

function renderValue(value: Json, depth: number, budget: Budget): ComponentChildren {
  budget.remaining--
  if (typeof value === 'string') return <Text value={value} />
  if (typeof value !== 'object' || value === null) return <code class="literal">{String(value)}</code>
  if (depth > MAX_DEPTH) return <Long text={JSON.stringify(value)} mono />
  return Array.isArray(value)
    ? renderItems(value, depth, budget)
    : renderMembers(value as Payload, depth, budget)
}

/** The artifacts of a payload are shown separately, with their bytes. */
export function PayloadView({ payload }: { readonly payload: Payload }) {
  const { artifacts, ...rest } = payload
  if (artifacts !== undefined && Object.keys(rest).length === 0) return null
  return <>{renderMembers(rest, 0, { remaining: MOST_VALUES })}</>
}
