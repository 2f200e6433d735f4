import type { ComponentChildren } from 'preact'
import { CheckField } from '../../../parts/fields.tsx'

interface ChoicesFieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  choices: readonly string[]
  value: unknown
  onChange(value: string[] | undefined): void
}

/** Any of a few values. */
export function ChoicesField({ label, hint, error, choices, value, onChange }: ChoicesFieldProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  return (
    <fieldset class="editor-group">
      <legend>{label}</legend>
      {hint !== undefined && <p class="field-hint">{hint}</p>}
      {choices.map((choice) => (
        <CheckField
          key={choice}
          label={choice}
          checked={chosen.includes(choice)}
          onChange={(isChecked) => {
            const next = choices.filter((one) => (one === choice ? isChecked : chosen.includes(one)))
            onChange(next.length === 0 ? undefined : next)
          }}
        />
      ))}
      {error !== undefined && <p class="field-error">{error}</p>}
    </fieldset>
  )
}
