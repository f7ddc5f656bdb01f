// How a console is started: what the command says, and what it is told in return.

export interface Serving {
  readonly home: string
  readonly postgres: string | null
  readonly config: string | null
  readonly version: string
  /** Null for the one that was used last, or any. */
  readonly port: number | null
  readonly isReadOnly: boolean
  readonly signal: AbortSignal
  /** Hears the link that opens it, and whether another console of this home answers there already. */
  ready(link: string, isOther: boolean): void
}
