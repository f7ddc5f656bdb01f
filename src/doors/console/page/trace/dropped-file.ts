// A file that was dropped anywhere onto the page: it is checked within the page, and sent nowhere. The form
// of a new council takes its own files.

import { signal } from '@preact/signals'
import { navigate, route } from '../route.ts'

export const dropped = signal<File | null>(null)
export const isDragging = signal(false)

const takesFilesItself = (): boolean => route.value.at === 'new'

export function startDropping(): void {
  const allowDrop = (event: DragEvent): void => {
    if (takesFilesItself()) return
    event.preventDefault()
    isDragging.value = event.type === 'dragover'
  }
  addEventListener('dragover', allowDrop)
  addEventListener('dragleave', allowDrop)
  addEventListener('drop', (event) => {
    if (takesFilesItself()) return
    event.preventDefault()
    isDragging.value = false
    const file = event.dataTransfer?.files[0]
    if (!file) return
    dropped.value = file
    if (route.value.at !== 'check') navigate('/check')
  })
}
