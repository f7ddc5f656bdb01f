// Whether what a model gave as its answer stands in the prompt. Material may hold a ready answer, to be repeated; the
// difference of spacing and escaping does not make it the model's own.

const squash = (text: string): string => text.replaceAll(/[\s\\]+/g, '')

export class PromptText {
  private readonly prompt: string
  private squashed: string | null = null

  constructor(prompt: string) {
    this.prompt = prompt
  }

  holds(text: string): boolean {
    if (this.prompt === '' || text.trim() === '') return false
    this.squashed ??= squash(this.prompt)
    return this.squashed.includes(squash(text))
  }
}
