// A list of any length of which only the visible part is rendered: rows of one height, placed by arithmetic.
// The keyboard moves the selected row; a list that is scrolled to its end stays there as it grows.

import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

const OVERSCAN = 8

export interface VirtualListProps {
  readonly count: number
  readonly height: number
  readonly label: string
  readonly chosen: number | null
  readonly row: (index: number) => ComponentChildren
  readonly choose: (index: number) => void
}

export function VirtualList({ count, height, label, chosen, row, choose }: VirtualListProps) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(false)
  const [view, setView] = useState({ top: 0, size: 800 })

  useEffect(() => {
    const { current } = box
    if (!current) return
    const measure = (): void => setView({ top: current.scrollTop, size: current.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])

  useLayoutEffect(() => {
    if (atEnd.current && box.current) box.current.scrollTop = count * height
  }, [count, height])

  useLayoutEffect(() => {
    const { current } = box
    if (chosen === null || !current) return
    const top = chosen * height
    if (top < current.scrollTop) current.scrollTop = top - height
    else if (top + height > current.scrollTop + current.clientHeight)
      current.scrollTop = top + 2 * height - current.clientHeight
  }, [chosen, height])

  const scrolled = (): void => {
    const { current } = box
    if (!current) return
    atEnd.current =
      current.scrollTop > 0 && current.scrollTop + current.clientHeight >= count * height - height
    setView({ top: current.scrollTop, size: current.clientHeight })
  }

  const first = Math.max(0, Math.floor(view.top / height) - OVERSCAN)
  const last = Math.min(count, Math.ceil((view.top + view.size) / height) + OVERSCAN)
  const shown = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i)

  const keys = (event: KeyboardEvent): void => {
    const page = Math.max(1, Math.floor(view.size / height) - 1)
    const by: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }
    const at = chosen ?? -1
    const moves: Readonly<Record<string, number>> = { Home: 0, End: count - 1 }
    const to = moves[event.key] ?? (event.key in by ? at + (by[event.key] ?? 0) : null)
    if (to === null || count === 0) return
    event.preventDefault()
    choose(Math.min(count - 1, Math.max(0, to)))
  }

  return (
    <div
      class="virtual"
      role="listbox"
      aria-label={label}
      aria-activedescendant={chosen === null ? undefined : `row-${chosen}`}
      tabIndex={0}
      ref={box}
      onScroll={scrolled}
      onKeyDown={keys}
    >
      <div class="virtual-space" role="presentation" style={{ height: `${count * height}px` }}>
        {shown.map((index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list box handles the keyboard
          <div
            key={index}
            id={`row-${index}`}
            class="virtual-row"
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            aria-setsize={count}
            aria-posinset={index + 1}
            style={{ top: `${index * height}px`, height: `${height}px` }}
            onClick={() => choose(index)}
          >
            {row(index)}
          </div>
        ))}
      </div>
    </div>
  )
}
