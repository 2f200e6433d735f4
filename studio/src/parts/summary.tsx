import type { ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'

/** What is seen of a `details` that is closed, with the sign that there is more. */
export function Summary({ class: name, children }: { class?: string; children: ComponentChildren }) {
  return (
    <summary class={name}>
      <Icon name="chevron-right" />
      {children}
    </summary>
  )
}
