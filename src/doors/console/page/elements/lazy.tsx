// A view whose code is loaded when it is first shown.

import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | null = null
  return function Lazy(props: Props) {
    const [View, setView] = useState<ComponentType<Props> | null>(() => loaded)
    const [fault, setFault] = useState<string | null>(null)
    useEffect(() => {
      if (View) return
      load().then(
        (view) => {
          loaded = view
          setView(() => view)
        },
        (error: unknown) => setFault(String(error)),
      )
    }, [View])
    if (fault !== null)
      return (
        <p class="notice bad" role="alert">
          This view could not be loaded: {fault}. Reload the page.
        </p>
      )
    return View ? <View {...props} /> : <p class="loading">Loading…</p>
  }
}
