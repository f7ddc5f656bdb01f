// The data between server and page.

export type Standing = 'waiting' | 'running' | 'open' | 'over'

/** A trace in the list. */
export interface WireRow {
  readonly trace: string
  readonly protocol: string
  readonly size: number
  readonly started: string
  readonly last: { readonly at: string; readonly type: string; readonly hash: string }
  readonly about: string | null
  /** Its parent trace; the round, where an exchange states it. */
  readonly parent: { readonly trace: string; readonly seq: number; readonly round: number | null } | null
  readonly standing: Standing
  readonly waits: number
  readonly outcome: {
    readonly status: string
    readonly verdict: string | null
    readonly cost_usd: number | null
    /** Of a council. */
    readonly mode: string | null
  } | null
  /** Why the run that was begun in this console failed. */
  readonly failure: { readonly message: string; readonly next: string } | null
}

/** An event as it is stored: header and payload are the signed bytes, as text. */
export interface WireEvent {
  readonly event: string
  readonly hash: string
  readonly payload: string | null
  readonly salt: string | null
  readonly signature: string
}

export interface WireBatch {
  readonly from: number
  readonly events: readonly WireEvent[]
}

export interface Viewer {
  readonly home: string
  readonly version: string
  readonly person: string
  readonly read_only: boolean
}
