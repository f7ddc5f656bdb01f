// How a model is to answer, where its seat states it: a temperature, a level of thinking. What an API, a
// program or a model documents no field for is refused before the call: a setting is sent, or its seat cannot
// be asked, and never dropped.

export type Thinking = 'low' | 'medium' | 'high'

export interface Tuning {
  readonly temperature?: number
  readonly thinking?: Thinking
}

export const NO_TUNING: Tuning = {}

/** `temperature 0.2, thinking high`; empty where nothing is set. */
export const tuningInWords = ({ temperature, thinking }: Tuning): string =>
  [
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(thinking === undefined ? [] : [`thinking ${thinking}`]),
  ].join(', ')

const ABOUT = {
  temperature: /temperature|sampling parameter/i,
  thinking: /thinking|reasoning|effort/i,
} as const

/** Which of the settings a vendor's refusal is about; null for none. */
export function refusedTuning(words: string, tuning: Tuning): keyof Tuning | null {
  const names = (['temperature', 'thinking'] as const).filter((name) => tuning[name] !== undefined)
  return names.find((name) => ABOUT[name].test(words)) ?? null
}
