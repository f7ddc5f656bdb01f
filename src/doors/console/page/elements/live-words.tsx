// The text that a model is writing: always its end, without JSON where possible.

import { useRef } from 'preact/hooks'
import { follow, NOTHING_FOLLOWED } from './follow-words.ts'
import { IsolatedText } from './text.tsx'

const MOST_SHOWN = 600

export function LiveWords({ text }: { readonly text: string }) {
  const followed = useRef(NOTHING_FOLLOWED)
  followed.current = follow(followed.current, text)
  const words = followed.current.writing?.words.trim() ?? text
  if (words === '') return null
  return (
    <div class="live" aria-live="off">
      <p>
        <IsolatedText text={words.slice(-MOST_SHOWN).toWellFormed()} />
      </p>
    </div>
  )
}
