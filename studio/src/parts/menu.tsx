import { useId } from 'preact/hooks'
import { IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'
import { moveBetweenButtons } from './move-focus.ts'
import { usePopover } from './use-popover.ts'

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
  const { anchor, popover, close } = usePopover('end')
  return (
    <div class="menu" ref={anchor}>
      <IconButton icon="ellipsis" label={label} aria-haspopup="menu" popovertarget={id} />
      <div
        ref={popover}
        id={id}
        class="popover"
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={moveBetweenButtons}
      >
        {items.map(({ text, icon, tone, run }) => (
          <button
            key={text}
            type="button"
            role="menuitem"
            class={`option ${tone ?? ''}`}
            onClick={() => {
              close()
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
