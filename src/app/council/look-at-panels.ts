// The panels in the settings, as the doctor shows them: which seats and roles they would have, and why a
// panel cannot be used now. No model is asked.

import { isWitanError } from '../../ledger/errors.ts'
import type { Settings } from '../config/config.ts'
import { namedSeating, panelOf, type World } from './seating.ts'

export interface PanelFound {
  readonly name: string
  readonly chair: string | null
  /** The seats as they would be; where the panel cannot be used, as they are written. */
  readonly seats: readonly {
    readonly seat: string
    readonly model: string | null
    readonly stance?: string
    readonly temperature?: number
    readonly thinking?: string
  }[]
  /** Null if it can be used. */
  readonly refusal: string | null
}

async function lookAt(name: string, settings: Settings, world: World): Promise<PanelFound> {
  const { wish, settings: limited } = panelOf(name, settings)
  try {
    const { records, chairs } = await namedSeating({ ...wish, mode: 'ask' }, limited, world)
    const seats = records.map(({ seat, model, stance, temperature, thinking }) => ({
      seat,
      model,
      ...(stance !== undefined && { stance }),
      ...(temperature !== undefined && { temperature }),
      ...(thinking !== undefined && { thinking }),
    }))
    return { name, chair: chairs[0] ?? null, seats, refusal: null }
  } catch (error) {
    if (!isWitanError(error)) throw error
    const seats = wish.seats.map((seat, i) => {
      const { stance, tuning } = wish.manners[i] ?? {}
      return { seat, model: null, ...(stance !== undefined && { stance }), ...tuning }
    })
    return { name, chair: wish.chair, seats, refusal: error.message }
  }
}

export const lookAtPanels = (settings: Settings, world: World): Promise<readonly PanelFound[]> =>
  Promise.all(Object.keys(settings.panels ?? {}).map((name) => lookAt(name, settings, world)))
