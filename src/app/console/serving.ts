// How a console is started: what the command says, and what it is told in return.

/** How long a server waits, in milliseconds. */
export interface Patience {
  /** For the headers of a request, and for all of it. */
  readonly headers: number
  readonly request: number
  /** How often it looks who is late. */
  readonly look: number
  /** After this long it says to every page that it is there. */
  readonly beat: number
}

export interface Serving {
  readonly home: string
  readonly postgres: string | null
  readonly config: string | null
  readonly version: string
  /** Null for the one that was used last, or any. */
  readonly port: number | null
  readonly isReadOnly: boolean
  readonly signal: AbortSignal
  /** As long as people and their machines need, unless given. */
  readonly patience?: Patience
  /** Hears the link that opens it, and whether another console of this home answers there already. */
  ready(link: string, isOther: boolean): void
}
