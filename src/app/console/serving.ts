// The options of a console, from the command, and what it reports back.

/** How long a server waits, in milliseconds. */
export interface ServerTimeouts {
  /** For the headers of a request, and for the whole request. */
  readonly headers: number
  readonly request: number
  /** The interval of checks for late clients. */
  readonly look: number
  /** After this long without events it sends a sign of life to every page. */
  readonly beat: number
}

export interface Serving {
  readonly home: string
  readonly postgres: string | null
  readonly config: string | null
  readonly version: string
  /** Null for the port that was used last, or any. */
  readonly port: number | null
  readonly isReadOnly: boolean
  readonly signal: AbortSignal
  /** As long as people and their machines need, unless given. */
  readonly patience?: ServerTimeouts
  /** Called with the link that opens it, and whether another console of this home already runs. */
  ready(link: string, isOther: boolean): void
}
