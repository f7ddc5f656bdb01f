// A prompt is recorded as ordered parts, each with what it quotes and its template; what a model reads is a
// pure function of the parts. So it can be checked later what each model was shown, without fixing the prose.

/** A piece of a prompt, with what it quotes and its template. */
export interface PromptPart {
  /** What the part is for: `preamble`, `question`, `context`, `diff`, `opinions`, `reviews`, `instructions`. */
  readonly name: string
  readonly text: string
  /** What the text quotes: an event (`trace/seq`), an artifact (hash), or terms (name); null for our own text. */
  readonly quotes: { readonly kind: 'event' | 'artifact' | 'terms'; readonly id: string } | null
  readonly template: { readonly id: string; readonly hash: string } | null
}

/** What was shown: everything of this kind that the parts quote, in order. */
export const quotedIn = (
  parts: readonly PromptPart[],
  kind: 'event' | 'artifact' | 'terms',
): readonly string[] => parts.flatMap(({ quotes }) => (quotes?.kind === kind ? [quotes.id] : []))

export const renderPrompt = (parts: readonly PromptPart[]): string =>
  parts.map((part) => part.text).join('\n\n')
