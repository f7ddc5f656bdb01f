// The answer of a tool: the same content twice, for programs and for readers.

export interface Answer {
  /** What a program reads. */
  readonly value: object
  /** What a model or a person reads. */
  readonly text: string
  /** Not to be cut: a model is to answer it. */
  readonly whole?: true
}
