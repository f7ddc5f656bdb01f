// Content that is too wide scrolls by itself; the keyboard can reach it then, and only then.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export function Scroll({ children }: { readonly children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  useEffect(() => {
    const { current } = box
    if (!current) return
    const measure = (): void => setCut(current.scrollWidth > current.clientWidth)
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    for (const child of current.children) observer.observe(child)
    return () => observer.disconnect()
  }, [])
  return (
    <div class="scroll" ref={box} tabIndex={isCut ? 0 : undefined}>
      {children}
    </div>
  )
}
