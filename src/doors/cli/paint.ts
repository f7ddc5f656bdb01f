// Colour is for a person at a terminal who did not decline it; everywhere else paint changes nothing.

import { NO_PAINT, type Paint } from '../../render/paint.ts'

export const wantsColour = (stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'

export async function paintFor(stream: { readonly isTTY?: boolean }): Promise<Paint> {
  if (!wantsColour(stream, process.env)) return NO_PAINT
  const { default: colours } = await import('picocolors')
  return colours.createColors(true)
}
