import type { ComponentChildren, JSX } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

export interface ButtonProps extends Omit<JSX.HTMLAttributes<HTMLButtonElement>, 'icon'> {
  /** `primary`: the one act of a page or dialog. `danger`: what cannot be undone. `quiet`: without a border. */
  tone?: 'primary' | 'danger' | 'quiet'
  icon?: IconName
  /** While true, the button is disabled; from 100 ms on it shows that something happens. */
  busy?: boolean
  disabled?: boolean
  type?: 'button' | 'submit'
  children?: ComponentChildren
}

export function Button({ tone, icon, busy = false, disabled = false, type = 'button', children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${tone ?? ''} ${rest.class ?? ''}`}
      data-busy={busy || undefined}
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'label'> {
  icon: IconName
  /** What the button does. It is read aloud, and shown beside the pointer. */
  label: string
}

export function IconButton({ label, ...rest }: IconButtonProps) {
  return <Button tone="quiet" {...rest} class={`icon-button ${rest.class ?? ''}`} aria-label={label} title={label} />
}
