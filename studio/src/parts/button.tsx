import type { ButtonHTMLAttributes, ComponentChildren } from 'preact'
import { Icon } from './icon.tsx'
import type { IconName } from './icons.ts'

type Attributes = Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'class' | 'className' | 'disabled' | 'type' | 'onClick' | 'icon'
>

export interface ButtonProps extends Attributes {
  /** `primary`: the one act of a page or dialog. `danger`: what cannot be undone. `quiet`: without a border. */
  tone?: 'primary' | 'danger' | 'quiet'
  icon?: IconName
  /** While true, the button is disabled; from 100 ms on it shows that something happens. */
  busy?: boolean
  disabled?: boolean
  type?: 'button' | 'submit'
  class?: string
  onClick?: (event: MouseEvent) => void
  children?: ComponentChildren
}

export function Button({
  tone,
  icon,
  busy = false,
  disabled = false,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  const { onClick, class: more = '', ...attributes } = rest
  return (
    <button
      {...attributes}
      type={type}
      class={`button ${tone ?? ''} ${more}`}
      data-busy={busy || undefined}
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
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
