const steps: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  vertical: { ArrowDown: 1, ArrowUp: -1 },
  horizontal: { ArrowRight: 1, ArrowLeft: -1 },
}

interface Moving {
  axis?: 'vertical' | 'horizontal'
  /** Whether the first element follows the last one, and Home and End go to them, as in a menu. */
  isMenu?: boolean
}

/** Arrows go to the element before and after. Returns the element that has the focus then, if a key has moved it. */
export function moveFocus<Item extends HTMLElement>(
  event: KeyboardEvent,
  elements: readonly Item[],
  { axis = 'vertical', isMenu = false }: Moving = {},
): Item | undefined {
  const step = steps[axis]?.[event.key]
  const ends: Record<string, number> = isMenu ? { Home: 0, End: -1 } : {}
  const at = elements.indexOf(document.activeElement as Item)
  const to = step === undefined ? ends[event.key] : at + step
  if (to === undefined || elements.length === 0) return undefined
  const next = isMenu ? elements.at(to % elements.length) : elements[to]
  if (next === undefined) return undefined
  event.preventDefault()
  next.focus({ preventScroll: !isMenu })
  return next
}

/** For lists of buttons, as those of a menu: arrows move between them. */
export function moveBetweenButtons(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof HTMLElement)) return
  moveFocus(event, [...event.currentTarget.querySelectorAll('button')], { isMenu: true })
}
