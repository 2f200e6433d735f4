import { useSignal } from '@preact/signals'
import { TextField } from '../../../parts/fields.tsx'

interface NumberFieldProps {
  label: string
  hint?: string
  error?: string | undefined
  placeholder?: string | undefined
  isInteger: boolean
  value: number | undefined
  onChange(value: number | undefined): void
}

/** A number. What is typed stays as it is typed, such as `0.` on the way to `0.5`. */
export function NumberField({ value, isInteger, error, placeholder, onChange, ...rest }: NumberFieldProps) {
  const text = useSignal(textOf(value))
  const parsed = numberOf(text.value)
  // Changed from elsewhere, for example in the JSON.
  const shown = Object.is(parsed, value) || Number.isNaN(parsed) ? text.value : textOf(value)
  const problem = Number.isNaN(parsed)
    ? 'must be a number'
    : isInteger && parsed !== undefined && !Number.isInteger(parsed)
      ? 'must be an integer'
      : error
  return (
    <TextField
      {...rest}
      {...(placeholder !== undefined && { placeholder })}
      error={problem}
      value={shown}
      onInput={(typed) => {
        text.value = typed
        const number = numberOf(typed)
        if (!Number.isNaN(number)) onChange(number)
      }}
    />
  )
}

const textOf = (value: number | undefined) => (value === undefined ? '' : String(value))
/** NaN: the text is not a number. */
const numberOf = (text: string) => (text.trim() === '' ? undefined : Number(text))
