import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface Common {
  label: string
  /** What the value means, if the label does not say it. */
  hint?: ComponentChildren
  /** Why the value is refused. */
  error?: string | undefined
}

export interface TextFieldProps extends Common {
  value: string
  onInput(value: string): void
  type?: 'text' | 'password' | 'email' | 'url' | 'number' | 'date' | 'datetime-local'
  name?: string
  placeholder?: string
  maxLength?: number
  autocomplete?: string
  autofocus?: boolean
}

export function TextField({
  label,
  hint,
  error,
  value,
  onInput,
  autocomplete = 'off',
  type = 'text',
  ...rest
}: TextFieldProps) {
  const id = useId()
  // The types of preact have an interface for each type of input.
  const typed = { type } as { type: 'text' }
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        {...typed}
        autocomplete={autocomplete}
        spellcheck={false}
        {...controlAttributes(id, { hint, error })}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </FieldFrame>
  )
}

export interface TextAreaProps extends Common {
  value: string
  onInput(value: string): void
  rows?: number
}

export function TextArea({ label, hint, error, value, onInput, rows = 4 }: TextAreaProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        rows={rows}
        spellcheck={false}
        {...controlAttributes(id, { hint, error })}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </FieldFrame>
  )
}

export interface SelectFieldProps extends Common {
  value: string
  options: readonly { value: string; text: string }[]
  onChange(value: string): void
}

export function SelectField({ label, hint, error, value, options, onChange }: SelectFieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select
        {...controlAttributes(id, { hint, error })}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(({ value: option, text }) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

export interface CheckFieldProps {
  label: string
  hint?: ComponentChildren
  checked: boolean
  onChange(isChecked: boolean): void
  disabled?: boolean
}

export function CheckField({ label, hint, checked, onChange, disabled = false }: CheckFieldProps) {
  const id = useId()
  return (
    <div class="check-field">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** The label, the hint and the error around a control, which refers to them. */
export function FieldFrame({ id, label, hint, error, children }: Common & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p id={`${id}-hint`} class="field-hint">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} class="field-error">
          {error}
        </p>
      )}
    </div>
  )
}

/** The attributes of a control in a `FieldFrame`. */
export function controlAttributes(id: string, { hint, error }: Pick<Common, 'hint' | 'error'>) {
  const describedBy = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return {
    id,
    class: 'control',
    'aria-invalid': error !== undefined,
    'aria-describedby': describedBy.length > 0 ? describedBy.join(' ') : undefined,
  }
}
