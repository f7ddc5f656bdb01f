// What a story says of one event.

export interface StoryLine {
  /** How it went: for colour alone, the words say it too. */
  readonly tone: 'plain' | 'good' | 'bad' | 'quiet'
  readonly text: string
  /** Said below, indented: reasons, quotes. */
  readonly more: readonly string[]
}
