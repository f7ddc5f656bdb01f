// A saved panel as text: its seats, its chair, and its limits.

export interface Panel {
  readonly name: string
  readonly seats: readonly { readonly seat: string; readonly stance: string | null }[]
  readonly chair: string | null
  readonly cost: number | null
  readonly minutes: number | null
  readonly short_circuit: boolean
}

export function panelWords({ seats, chair, cost, minutes, short_circuit }: Panel): string {
  const limits = [
    chair === null ? '' : `chaired by ${chair}`,
    cost === null ? '' : `at most $${cost.toFixed(2)}`,
    minutes === null ? '' : `at most ${minutes} min`,
    short_circuit ? 'rounds may be skipped' : '',
  ].filter((words) => words !== '')
  const sitting = seats.map(({ seat, stance }) => (stance === null ? seat : `${seat} (${stance})`))
  return [sitting.join(', '), ...limits].join('; ')
}
