// Server-sent events as WHATWG defines them, data only: lines end with CR, LF or both, `data` lines of one
// event are joined, comments and other fields are ignored, and an event that is not ended by an empty line is
// dropped.

const DATA = /^data:? ?/

/** A chunk may end anywhere: within a line, within a character, between CR and LF. */
class EventReader {
  readonly #decoder = new TextDecoder()
  #rest = ''
  #endsInCr = false
  #data: string[] = []

  take(bytes: Uint8Array): readonly string[] {
    const more = this.#decoder.decode(bytes, { stream: true })
    // Only new text is searched: a line of megabytes may arrive byte by byte.
    const isLineOver = this.#endsInCr || more.includes('\n') || more.includes('\r')
    const text = this.#rest + more
    if (more !== '') this.#endsInCr = more.endsWith('\r')
    // A CR at the very end may be half of a line end.
    const end = isLineOver ? Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r', text.length - 2)) + 1 : 0
    this.#rest = text.slice(end)
    const events: string[] = []
    if (end === 0) return events
    const whole = text.slice(0, end)
    const lines = (whole.includes('\r') ? whole.replace(/\r\n?/g, '\n') : whole).split('\n')
    lines.pop()
    for (const line of lines) {
      if (line === '') {
        if (this.#data.length > 0) events.push(this.#data.join('\n'))
        this.#data = []
      } else if (line.startsWith('data:') || line === 'data') this.#data.push(line.replace(DATA, ''))
    }
    return events
  }
}

export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const reader = new EventReader()
  for await (const bytes of body) yield* reader.take(bytes)
}
