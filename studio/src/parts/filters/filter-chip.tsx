import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { IconButton } from '../button.tsx'
import { Icon } from '../icon.tsx'
import { usePopover } from '../use-popover.ts'

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
  const { anchor, popover, close } = usePopover('start')
  const isSet = value !== ''
  return (
    <div ref={anchor} class="filter" data-set={isSet || undefined}>
      <button type="button" class="filter-button" popovertarget={id}>
        {!isSet && <Icon name="plus" />}
        {label}
        {isSet && <b>{value}</b>}
      </button>
      {isSet && <IconButton icon="x" label={`Remove the filter ${label}`} onClick={onClear} />}
      <div ref={popover} id={id} class="popover filter-popover" popover="auto" role="dialog" aria-label={label}>
        {children(close)}
      </div>
    </div>
  )
}
