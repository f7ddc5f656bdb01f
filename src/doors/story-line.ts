// What a story says of one event, and how the whole stands.

export interface StoryLine {
  /** How it went: for colour alone, the words say it too. */
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet'
  readonly text: string
  /** Said below, indented: reasons, quotes. */
  readonly more: readonly string[]
}

export interface Standing {
  readonly status: string
  /** Why, where what is stored does not hold. */
  readonly reason: string | null
}
