/** Wilson's interval of a share at 95 %. */
export function wilson(hits: number, of: number): [low: number, high: number] {
  const z = 1.959964
  const share = hits / of
  const middle = share + z ** 2 / (2 * of)
  const half = z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))
  const whole = 1 + z ** 2 / of
  return [(middle - half) / whole, (middle + half) / whole]
}
