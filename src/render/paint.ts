// Colours as a value, so that what is shown stays a function of what it is made of. Which colours a terminal gets is
// decided by the entrance that writes to it.

type Brush = (text: string) => string

export interface Paint {
  readonly bold: Brush
  readonly dim: Brush
  readonly red: Brush
  readonly green: Brush
  readonly yellow: Brush
}

/** What something is shown on. */
export interface Sheet {
  readonly paint: Paint
  readonly width: number
}

const bare: Brush = (text) => text

export const NO_PAINT: Paint = { bold: bare, dim: bare, red: bare, green: bare, yellow: bare }
