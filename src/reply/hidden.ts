// Marks of hidden reasoning. Text between them is no answer and reaches no reader; text before a closing mark
// that was never opened, or after an opening one that is never closed, is treated as reasoning too: a thought
// that is published by mistake cannot be taken back.

const NAMES = 'think|thinking|thought|thoughts|reasoning|seed:think'
const OPENING = `<(?:${NAMES})(?:\\s[^<>]{0,80})?>|\\[THINK\\]|◁think▷|<\\|begin_of_thought\\|>|<\\|channel\\|>analysis\\b`
const CLOSING = `</(?:${NAMES})>|\\[/THINK\\]|◁/think▷|<\\|end_of_thought\\|>`

/** Either mark of hidden reasoning. */
export const HIDDEN_MARK = `${OPENING}|${CLOSING}`

const IS_CLOSING = new RegExp(`^(?:${CLOSING})$`, 'i')
const IS_CHANNEL = /^<\|channel\|>/i
const AFTER_THOUGHT = new RegExp(CLOSING, 'gi')
const AFTER_CHANNEL = /<\|end\|>|<\|start\|>|(?=<\|channel\|>)/gi

export const isClosingMark = (mark: string): boolean => IS_CLOSING.test(mark)

/** The end of the reasoning that `mark` opens: behind its closing mark, or at the end of the text. */
export function endOfHidden(text: string, mark: string, behindMark: number): number {
  const closing = IS_CHANNEL.test(mark) ? AFTER_CHANNEL : AFTER_THOUGHT
  closing.lastIndex = behindMark
  const match = closing.exec(text)
  return match ? match.index + match[0].length : text.length
}

const ANY_MARK = new RegExp(HIDDEN_MARK, 'gi')

/** A text that is not JSON, without its hidden reasoning. */
export function withoutHidden(text: string): { readonly text: string; readonly found: boolean } {
  let shown: string[] = []
  let at = 0
  let found = false
  for (;;) {
    ANY_MARK.lastIndex = at
    const mark = ANY_MARK.exec(text)
    if (mark === null) break
    found = true
    const behind = mark.index + mark[0].length
    if (isClosingMark(mark[0])) shown = []
    else shown.push(text.slice(at, mark.index))
    at = isClosingMark(mark[0]) ? behind : endOfHidden(text, mark[0], behind)
  }
  return { text: shown.join('') + text.slice(at), found }
}

const TEMPLATE_MARKS =
  /<\|start\|>(?:assistant)?|<\|channel\|>\s*\w*|<\|message\|>|<\|im_start\|>(?:assistant)?/g
const END_OF_TURN = /<\|(?:im_end|eot_id|eom_id|endoftext|end|return|end_of_text)\|>|<\/s>\s*$|<end_of_turn>/

/** A text that is not JSON, without the tokens of a chat template; what follows the end of a turn is no answer. */
export function withoutTemplateTokens(text: string): string {
  const opened = text.replaceAll(TEMPLATE_MARKS, '')
  const end = opened.search(END_OF_TURN)
  return end === -1 || opened.slice(0, end).trim() === '' ? opened : opened.slice(0, end)
}
