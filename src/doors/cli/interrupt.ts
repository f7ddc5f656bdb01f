// Ctrl-C while a trace is being run is the run's own affair: it stops cleanly, or offers to close. Nobody else is
// there to answer it then, and once the run let go, the command ends as any other does.

type Answer = () => void

let answering: Answer | null = null

/** Until the returned function is called, every Ctrl-C goes to `answer`. */
export function answerInterrupts(answer: Answer): () => void {
  answering = answer
  return () => {
    if (answering === answer) answering = null
  }
}

/** False when nobody answers. */
export function answered(): boolean {
  if (answering === null) return false
  answering()
  return true
}
