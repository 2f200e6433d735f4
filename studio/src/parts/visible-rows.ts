import { useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'

/** Of each row of a table, in px: `--row` in `look/table.css`. */
export const rowHeight = 40
/** Rows above and below those that can be seen, so that a quick scroll shows no gap. */
const margin = 12
/** So many are drawn before the height is known. */
const atFirst = 40

interface VisibleRows {
  first: number
  /** After the last one. */
  last: number
}

/** The rows of a scrolled table that are to be drawn. They change by steps, so that most scrolling draws nothing anew. */
export function useVisibleRows(scroller: { current: HTMLElement | null }, count: number): VisibleRows {
  const range = useSignal<VisibleRows>({ first: 0, last: atFirst })
  const isShown = count > 0
  useLayoutEffect(() => {
    const { current } = scroller
    if (current === null) return
    let frame = 0
    const measure = () => {
      frame = 0
      const first = Math.max(0, Math.floor(current.scrollTop / rowHeight / margin) * margin - margin)
      const last = first + Math.ceil(current.clientHeight / rowHeight) + 3 * margin
      if (first !== range.value.first || last !== range.value.last) range.value = { first, last }
    }
    const later = () => {
      frame ||= requestAnimationFrame(measure)
    }
    measure()
    current.addEventListener('scroll', later, { passive: true })
    const resized = new ResizeObserver(later)
    resized.observe(current)
    return () => {
      cancelAnimationFrame(frame)
      current.removeEventListener('scroll', later)
      resized.disconnect()
    }
  }, [isShown])
  const { first, last } = range.value
  const end = Math.min(count, last)
  return { first: Math.min(first, Math.max(0, end - atFirst)), last: end }
}
