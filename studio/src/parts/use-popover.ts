import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

interface Popover {
  /** What it is opened from. */
  anchor: RefObject<HTMLDivElement | null>
  popover: RefObject<HTMLDivElement | null>
  close(): void
}

const gapPx = 4
const edgePx = 8

/**
 * A popover below what opened it, or above where there is no room below. `end`: it ends where that ends. What is chosen in it, else
 * its first button or field, has the focus.
 */
export function usePopover(edge: 'start' | 'end'): Popover {
  const anchor = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = popover
    if (current === null) return
    const onToggle = (event: Event) => {
      const { type, newState } = event as ToggleEvent
      if (newState !== 'open') delete current.dataset.placed
      else if (type === 'beforetoggle') chooseFocus(current)
      else place(current, anchor.current, edge)
    }
    const onResize = () => current.matches(':popover-open') && place(current, anchor.current, edge)
    current.addEventListener('beforetoggle', onToggle)
    current.addEventListener('toggle', onToggle)
    addEventListener('resize', onResize)
    return () => {
      removeEventListener('resize', onResize)
      current.removeEventListener('beforetoggle', onToggle)
      current.removeEventListener('toggle', onToggle)
    }
  }, [])
  return { anchor, popover, close: () => popover.current?.hidePopover() }
}

/** A popover is above everything, so that its place is computed. */
function place(popover: HTMLElement, anchor: HTMLElement | null, edge: 'start' | 'end'): void {
  const at = anchor?.getBoundingClientRect()
  if (at === undefined) return
  const { offsetWidth: width, offsetHeight: height } = popover
  const left = edge === 'start' ? at.left : at.right - width
  const isBelow = at.bottom + height + edgePx <= innerHeight || at.top - height < edgePx
  popover.style.left = `${Math.max(edgePx, Math.min(left, innerWidth - width - edgePx))}px`
  popover.style.top = `${isBelow ? at.bottom + gapPx : at.top - height - gapPx}px`
  // Until now it was not to be seen.
  popover.dataset.placed = ''
}

/** The browser gives it the focus as it opens the popover, so that a key that is pressed right then is not lost. */
function chooseFocus(popover: HTMLElement): void {
  for (const earlier of popover.querySelectorAll('[autofocus]')) earlier.removeAttribute('autofocus')
  const chosen = popover.querySelector('[aria-pressed=true]') ?? popover.querySelector('input, button')
  chosen?.setAttribute('autofocus', '')
}
