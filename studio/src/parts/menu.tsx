import { useEffect, useId, useRef } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

export interface MenuItem {
  text: string
  icon: IconName
  tone?: 'danger'
  run(): void
}

interface MenuProps {
  /** What the items are about: `Actions of Invoice`. */
  label: string
  items: readonly MenuItem[]
}

/** A button that opens a list of acts. Arrows move in it, Escape closes it. */
export function Menu({ label, items }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = list
    const opened = ({ newState }: ToggleEvent) => {
      if (current === null) return
      if (newState === 'open') place(current, button.current)
      else delete current.dataset.placed
    }
    current?.addEventListener('toggle', opened as EventListener)
    return () => current?.removeEventListener('toggle', opened as EventListener)
  }, [])
  const move = (event: KeyboardEvent) => {
    if (!list.current?.matches(':popover-open')) return
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const steps: Record<string, number> = {
      ...{ ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 },
    }
    const to = steps[event.key]
    if (to === undefined) return
    event.preventDefault()
    buttons.at(to % buttons.length)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button and the list handle keys together
    <div class="menu" ref={button} onKeyDown={move}>
      <IconButton icon="ellipsis" label={label} aria-haspopup="menu" popovertarget={id} />
      <div ref={list} id={id} class="menu-list" popover="auto" role="menu" tabIndex={-1} aria-label={label}>
        {items.map(({ text, icon, tone, run }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            class={tone}
            onClick={() => {
              list.current?.hidePopover()
              run()
            }}
          >
            <Icon name={icon} />
            {text}
          </button>
        ))}
      </div>
    </div>
  )
}

/** A popover is above everything, so that its place is computed. */
function place(list: HTMLElement, button: HTMLElement | null): void {
  const at = button?.getBoundingClientRect()
  if (at === undefined) return
  const { offsetWidth: width, offsetHeight: height } = list
  const isBelow = at.bottom + height + 8 <= innerHeight
  list.style.left = `${Math.max(8, at.right - width)}px`
  list.style.top = `${isBelow ? at.bottom + 4 : Math.max(8, at.top - height - 4)}px`
  // Until now it was not to be seen.
  list.dataset.placed = ''
  if (!list.contains(document.activeElement)) list.querySelector('button')?.focus()
}
