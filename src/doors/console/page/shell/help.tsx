// The keyboard shortcuts, in a dialog.

import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'

export const helpIsOpen = signal(false)

const KEYS: readonly (readonly [string, string])[] = [
  ['/', 'search everything'],
  ['j  k', 'next, previous'],
  ['Enter', 'open what is chosen'],
  ['a', 'approve what the inbox shows'],
  ['i', 'inbox'],
  ['n', 'new council'],
  ['h', 'all traces'],
  ['1 – 7', 'the tabs of a trace'],
  ['c', 'check a file'],
  ['Esc', 'close, go back'],
  ['?', 'this help'],
]

export function Help() {
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = helpIsOpen.value
  useEffect(() => {
    const { current } = dialog
    if (isOpen && current && !current.open) current.showModal()
    if (!isOpen && current?.open) current.close()
  }, [isOpen])
  return (
    <dialog
      ref={dialog}
      aria-labelledby="help-title"
      onClose={() => {
        helpIsOpen.value = false
      }}
    >
      <h2 id="help-title">Keyboard</h2>
      <dl class="keys">
        {KEYS.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}
