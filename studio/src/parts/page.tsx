import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface PageProps {
  title: string
  /** Beside the title: a badge, an id. */
  beside?: ComponentChildren
  /** The buttons of the page, the main one last. */
  actions?: ComponentChildren
  /** Below the title: a search, filters. */
  bar?: ComponentChildren
  /** `list`: the content is a table that scrolls. `wide`: without side margins, as for an editor. Default: it has a width to read. */
  layout?: 'list' | 'wide' | undefined
  children: ComponentChildren
}

/** A page of the studio: its title, its buttons and its content. The title is that of the window, too. */
export function Page({ title, beside, actions, bar, layout, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Platen`
  }, [title])
  // Who follows a link by keyboard goes on at the new page, and a screen reader reads its title.
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement?.closest('nav'))
      heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div class={`page ${layout ?? ''}`}>
      <header class="page-header">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside}
        <div class="page-actions">{actions}</div>
      </header>
      {bar !== undefined && <div class="page-bar">{bar}</div>}
      <div class="page-content">{children}</div>
    </div>
  )
}
