import type { AnchorHTMLAttributes, ComponentChildren } from 'preact'
import { navigate, urlOf } from '../router/address.ts'

export interface LinkProps {
  class?: string
  title?: string
  'aria-current'?: AnchorHTMLAttributes['aria-current']
  /** A path below `/studio`, such as `/templates`. */
  to: string
  children?: ComponentChildren
}

/** A link to another page of the studio, which opens without loading the studio again. */
export function Link({ to, children, ...attributes }: LinkProps) {
  const { pathname, search } = urlOf(to)
  const follow = (event: MouseEvent) => {
    // Also opened in another tab or window, as every link.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate(to)
  }
  return (
    <a {...attributes} href={pathname + search} onClick={follow}>
      {children}
    </a>
  )
}
