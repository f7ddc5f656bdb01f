// A canvas in the pixels of the screen, and the colours of the page as a canvas takes them.

export interface Drawn {
  readonly context: CanvasRenderingContext2D
  readonly width: number
  readonly height: number
}

/** Cleared, and sized to its place on the screen; null where drawing is not possible. */
export function prepare(canvas: HTMLCanvasElement): Drawn | null {
  const context = canvas.getContext('2d')
  if (!context) return null
  const { clientWidth: width, clientHeight: height } = canvas
  canvas.width = width * devicePixelRatio
  canvas.height = height * devicePixelRatio
  context.scale(devicePixelRatio, devicePixelRatio)
  return { context, width, height }
}

export function inks(): (name: string) => string {
  const style = getComputedStyle(document.documentElement)
  return (name) => style.getPropertyValue(`--${name}`).trim()
}
