// The only way foreign text reaches the page: as text, with every character that could steer, hide or fake
// shown by its code point, and with isolated direction of writing.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { forPage } from '../../../../ledger/text/neutral.ts'

export const safeParts = (text: string): ComponentChildren =>
  forPage(text).map((part, i) =>
    typeof part === 'string' ? (
      part
    ) : (
      <span key={i} class="escape">
        {part.escape}
      </span>
    ),
  )

/** Foreign text, in a line. */
export const IsolatedText = ({ text }: { readonly text: string }) => <bdi>{safeParts(text)}</bdi>

export const clip = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text

/** A hash, key or id: selected whole by one click. */
export const Id = ({ text, short = false }: { readonly text: string; readonly short?: boolean }) => (
  <code class="id" title={short ? text : undefined}>
    {short ? text.slice(0, 16) : text}
  </code>
)

const FIRST_CHARS = 4_000

/** Longer foreign text: however long it is, only its beginning is rendered until someone requests the rest. */
export function Long({ text, mono = false }: { readonly text: string; readonly mono?: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const rest = text.length - FIRST_CHARS
  const shown = isWhole || rest <= 0 ? text : text.slice(0, FIRST_CHARS)
  return (
    // It scrolls, and the keyboard must reach it.
    <div class={mono ? 'long mono' : 'long'} dir="auto" tabIndex={mono ? 0 : undefined}>
      {safeParts(shown)}
      {!isWhole && rest > 0 && (
        <>
          {'… '}
          <button type="button" class="link" onClick={() => setWhole(true)}>
            Show {rest.toLocaleString('en')} more characters
          </button>
        </>
      )}
    </div>
  )
}

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export function bytes(size: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB']
  let unit = 0
  let value = size
  for (; value >= 1024 && unit < units.length - 1; unit++) value /= 1024
  return `${unit === 0 ? value : Number(value.toFixed(1))} ${units[unit]}`
}

export const money = (usd: number | null): string =>
  usd === null ? '' : `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`

export function seconds(ms: number | null): string {
  if (ms === null) return ''
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  const whole = Math.round(ms / 1000)
  if (whole < 120) return `${whole} s`
  const minutes = Math.floor(whole / 60)
  return minutes < 120
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
