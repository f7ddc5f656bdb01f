// A council that is asked for by name: who sits there, who chairs, and what it may take, as the settings keep it. What is
// said on the spot counts before it. Only a home's own file or a trusted one keeps panels: a name typed in good faith must
// not seat whom a cloned repository chose.

import { WitanError } from '../../ledger/errors.ts'
import { nearest } from '../../ledger/text/nearest-word.ts'
import type { Settings } from '../config/config.ts'
import type { PanelSettings } from '../config/settings.ts'

/** What a panel says for those who asked for it. */
export interface PanelWish {
  readonly seats: readonly string[]
  readonly chair: string | null
  readonly shortCircuit: boolean
}

const MOST_ALIKE = 9

/** `local:MODEL*3` is that seat three times. */
function seatsOf(text: string): readonly string[] {
  const [, seat = text, times = '1'] = /^(.+)\*(\d)$/.exec(text) ?? []
  return Array.from({ length: Math.min(Math.max(Number(times), 1), MOST_ALIKE) }, () => seat)
}

function panelNamed(name: string, panels: Readonly<Record<string, PanelSettings>>): PanelSettings {
  const found = Object.hasOwn(panels, name) ? panels[name] : undefined
  if (found) return found
  const known = Object.keys(panels)
  const meant = nearest(name, known)
  const next =
    known.length === 0
      ? "Write it into the home's config.yaml: `panels: {NAME: {seats: [claude, openai]}}`."
      : `${meant ? `Did you mean ${meant}? ` : ''}There are: ${known.join(', ')}.`
  throw new WitanError('USAGE', `there is no panel '${name}'`, next)
}

/** Who is wished for, and the settings under the limits of the panel. */
export function panelOf(
  name: string,
  settings: Settings,
): { readonly wish: PanelWish; readonly settings: Settings } {
  const panel = panelNamed(name, settings.panels ?? {})
  const { council } = settings
  const { timeout } = panel
  const each = council.timeouts?.each ?? timeout
  return {
    wish: {
      seats: (panel.seats ?? []).flatMap(seatsOf),
      chair: panel.chair ?? null,
      shortCircuit: panel.short_circuit ?? false,
    },
    settings: {
      ...settings,
      council: {
        ...council,
        budget: { ...council.budget, ...panel.budget },
        ...(each !== undefined && { timeouts: { ...council.timeouts, each } }),
      },
    },
  }
}
