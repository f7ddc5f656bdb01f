// Light or dark: as the system says, until the person chooses.

import { signal } from '@preact/signals'

type Scheme = 'system' | 'light' | 'dark'
const KEY = 'witan-scheme'
const NEXT: Readonly<Record<Scheme, Scheme>> = { system: 'dark', dark: 'light', light: 'system' }
const ICONS: Readonly<Record<Scheme, string>> = { system: '◐', dark: '●', light: '○' }

const stored = localStorage.getItem(KEY)
const scheme = signal<Scheme>(stored === 'light' || stored === 'dark' ? stored : 'system')

function apply(): void {
  if (scheme.value === 'system') delete document.documentElement.dataset.scheme
  else document.documentElement.dataset.scheme = scheme.value
}
apply()

export const Theme = () => (
  <button
    type="button"
    class="quiet"
    aria-label={`Colours: ${scheme.value}`}
    title={`Colours: ${scheme.value}`}
    onClick={() => {
      scheme.value = NEXT[scheme.value]
      localStorage.setItem(KEY, scheme.value)
      apply()
    }}
  >
    <span aria-hidden="true">{ICONS[scheme.value]}</span>
  </button>
)
