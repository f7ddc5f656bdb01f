// Light or dark: as the system says, until the person says otherwise.

import { signal } from '@preact/signals'

type Scheme = 'system' | 'light' | 'dark'
const KEY = 'witan-scheme'
const NEXT: Readonly<Record<Scheme, Scheme>> = { system: 'dark', dark: 'light', light: 'system' }
const SIGNS: Readonly<Record<Scheme, string>> = { system: '◐', dark: '●', light: '○' }

const kept = localStorage.getItem(KEY)
const scheme = signal<Scheme>(kept === 'light' || kept === 'dark' ? kept : 'system')

function show(): void {
  if (scheme.value === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme.value
}
show()

export const Theme = () => (
  <button
    type="button"
    class="quiet"
    aria-label={`Colours: ${scheme.value}`}
    title={`Colours: ${scheme.value}`}
    onClick={() => {
      scheme.value = NEXT[scheme.value]
      localStorage.setItem(KEY, scheme.value)
      show()
    }}
  >
    <span aria-hidden="true">{SIGNS[scheme.value]}</span>
  </button>
)
