// A council that is requested by name with `--panel`: seats, chair, limits. A seat is written as for
// `--seats`, or as a section that also states its role and how its model is to answer. Only in the home's own
// file, or in a trusted one: a stance is an instruction, and must not come with a cloned repository.

import { THINKING } from '../../council/events.ts'
import { MAX_STANCE } from '../../council/schema.ts'
import { duration, minutes } from './small-shapes.ts'
import {
  amount,
  choice,
  flag,
  formed,
  formOf,
  list,
  object,
  resolved,
  type Shape,
  text,
  type ValueOf,
} from './yaml-shape.ts'

const MOST_ALIKE = 9

const seatName = text(
  'a seat as `--seats` takes it, and how many seats it takes: claude, openai:MODEL, local:MODEL*3',
)

const section = object(
  {
    seat: text('a seat as `--seats` takes it: claude, openai:MODEL'),
    count: amount({ least: 1, most: MOST_ALIKE, whole: true, of: 'seats' }),
    stance: text(
      `text of at most ${MAX_STANCE} characters`,
      (value) => value.trim() !== '' && value.length <= MAX_STANCE,
      'Say in a few sentences which part this seat is to take.',
    ),
    temperature: amount({ least: 0, most: 2 }),
    thinking: choice(THINKING),
  },
  { needs: ['seat'] },
)

export type PanelSeat = ValueOf<typeof section> & { readonly seat: string }

/** `local:MODEL*3` is that seat three times. */
function readSeatName(written: string): PanelSeat {
  const [, seat = written, times = '1'] = /^(.+)\*([1-9])$/.exec(written) ?? []
  return { seat, count: Number(times) }
}

const panelSeat: Shape<PanelSeat> = formed(
  (node, key, reading) => {
    if (!reading.yaml.isMap(resolved(node, reading))) {
      const written = seatName(node, key, reading)
      return written === undefined ? undefined : readSeatName(written)
    }
    const { seat, ...rest } = section(node, key, reading) ?? {}
    return seat === undefined ? undefined : { ...readSeatName(seat), ...rest }
  },
  { ...formOf(section), says: `${formOf(seatName).says}; or a section` },
)

export const panelShape = object(
  {
    seats: list(panelSeat, { least: 1 }),
    chair: text('the name of a seat or a provider'),
    budget: object({ cost: amount({ least: 0, of: 'US dollars' }), minutes }),
    timeout: duration,
    short_circuit: flag,
  },
  { needs: ['seats'] },
)

export type PanelSettings = ValueOf<typeof panelShape>
