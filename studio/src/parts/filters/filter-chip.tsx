import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { IconButton } from '../button.tsx'
import { Icon } from '../icon.tsx'

interface FilterChipProps {
  /** What is filtered by: `Template`. */
  label: string
  /** What is chosen, as text. Empty: nothing. */
  value: string
  onClear(): void
  /** What is chosen from. `close` closes it. */
  children: (close: () => void) => ComponentChildren
}

/** A filter of a list: a button that says what is chosen, opens the choice, and has another one beside it that removes it. */
export function FilterChip({ label, value, onClear, children }: FilterChipProps) {
  const id = useId()
  const chip = useRef<HTMLDivElement>(null)
  const popover = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = popover
    const onToggle = (event: Event) => {
      if ((event as ToggleEvent).newState !== 'open' || current === null) return
      if (event.type === 'beforetoggle') chooseFocus(current)
      else place(current, chip.current)
    }
    current?.addEventListener('beforetoggle', onToggle)
    current?.addEventListener('toggle', onToggle)
    return () => {
      current?.removeEventListener('beforetoggle', onToggle)
      current?.removeEventListener('toggle', onToggle)
    }
  }, [])
  const isSet = value !== ''
  return (
    <div ref={chip} class="filter" data-set={isSet || undefined}>
      <button type="button" class="filter-button" popovertarget={id}>
        {!isSet && <Icon name="plus" />}
        {label}
        {isSet && <b>{value}</b>}
      </button>
      {isSet && <IconButton icon="x" label={`Remove the filter ${label}`} onClick={onClear} />}
      <div ref={popover} id={id} class="filter-popover" popover="auto" role="dialog" aria-label={label}>
        {children(() => popover.current?.hidePopover())}
      </div>
    </div>
  )
}

/** A popover is above everything, so that its place is computed. */
function place(popover: HTMLElement, chip: HTMLElement | null): void {
  const at = chip?.getBoundingClientRect()
  if (at === undefined) return
  popover.style.left = `${Math.max(8, Math.min(at.left, innerWidth - popover.offsetWidth - 8))}px`
  popover.style.top = `${at.bottom + 4}px`
}

/** The browser gives it the focus as it opens the popover, so that a key that is pressed right then is not lost. */
function chooseFocus(popover: HTMLElement): void {
  for (const earlier of popover.querySelectorAll('[autofocus]')) earlier.removeAttribute('autofocus')
  popover.querySelector('[aria-pressed=true], input, button')?.setAttribute('autofocus', '')
}

/** Arrow up and down go to the button before and after. */
export function moveBetween(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined || !(event.currentTarget instanceof HTMLElement)) return
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  event.preventDefault()
  buttons.at((buttons.indexOf(document.activeElement as HTMLButtonElement) + step) % buttons.length)?.focus()
}
