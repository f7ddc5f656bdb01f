// Colour is for a person at a terminal who did not decline it; everywhere else paint changes nothing.

type Brush = (text: string) => string

export interface Paint {
  readonly bold: Brush
  readonly dim: Brush
  readonly red: Brush
  readonly green: Brush
  readonly yellow: Brush
}

const bare: Brush = (text) => text

export const NO_PAINT: Paint = { bold: bare, dim: bare, red: bare, green: bare, yellow: bare }

export const wantsColour = (stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

export async function paintFor(stream: { readonly isTTY?: boolean }): Promise<Paint> {
  if (!wantsColour(stream, process.env)) return NO_PAINT
  const { default: colours } = await import('picocolors')
  return colours.createColors(true)
}
