// What is known so far of a room's mutants, read from the log that the runs add to.
export type Entry =
  | { readonly test: string; readonly ms: number; readonly reached: readonly number[] }
  | { readonly broken: string }
  /** Mutants in what runs while modules are loaded, before any test. */
  | { readonly loaded: readonly number[] }
  | { readonly begun: number; readonly by: string }
  | { readonly killed: number; readonly by: string }
  | { readonly survived: number; readonly by: string }
  | { readonly doubtful: number; readonly by: string }

export interface State {
  readonly tests: Map<string, { readonly ms: number; readonly reached: readonly number[] }>
  readonly loaded: Set<number>
  readonly killed: Map<number, string>
  /** Mutant and test together, tried to the end or given up. */
  readonly tried: Set<string>
  readonly doubtful: Map<number, string>
  /** Tests that fail with no mutant at all: they prove nothing. */
  readonly broken: Set<string>
}

export function readState(log: string): State {
  const state: State = {
    tests: new Map(),
    loaded: new Set(),
    killed: new Map(),
    tried: new Set(),
    doubtful: new Map(),
    broken: new Set(),
  }
  for (const line of log.split('\n').filter((line) => line !== '')) {
    const entry = JSON.parse(line) as Entry
    if ('test' in entry) state.tests.set(entry.test, { ms: entry.ms, reached: entry.reached })
    if ('loaded' in entry) for (const id of entry.loaded) state.loaded.add(id)
    if ('broken' in entry) state.broken.add(entry.broken)
    if ('begun' in entry) state.tried.add(`${entry.begun} ${entry.by}`)
    if ('killed' in entry) state.killed.set(entry.killed, entry.by)
    if ('doubtful' in entry) state.doubtful.set(entry.doubtful, entry.by)
  }
  return state
}

/** For each mutant the tests that reach it and least besides: what holds it is likeliest among them. */
export function nearestTests({ tests }: Pick<State, 'tests'>, count: number): Map<number, Set<string>> {
  const bySize = [...tests].sort(([, a], [, b]) => a.reached.length - b.reached.length || a.ms - b.ms)
  const nearest = new Map<number, Set<string>>()
  for (const [name, { reached }] of bySize)
    for (const id of reached) {
      const held = nearest.get(id) ?? new Set()
      if (held.size < count) nearest.set(id, held.add(name))
    }
  return nearest
}

/** What `npm run test:mutants` hands to the processes it starts. */
export interface Settings {
  readonly room: string
  readonly count: number
  readonly seed: number
  /** The log of this room, by its path. */
  readonly log: string
  /** Milliseconds: tests that take longer by themselves are not tried now. */
  readonly slowest: number
  /** Each mutant is tried by so many tests now, those first that reach little else; none where it is 0. */
  readonly nearest: number
  /** When this stage ends, in milliseconds of the clock. */
  readonly until: number
  readonly tests: readonly string[]
  /** Whether each file of tests has a process of its own. */
  readonly isolate: boolean
  /** This mutant alone, from the start of the process: the run fails where a test notices it. -1 for none, to compare with. */
  readonly active?: number
}

export const settings = (): Settings => JSON.parse(process.env.WITAN_MUTANTS ?? '{}') as Settings
