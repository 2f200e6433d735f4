import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { isExactNumber, parseExact } from '../../../api/exact-json.ts'
import { TextField } from '../../../parts/fields.tsx'

interface NumberFieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  placeholder?: string | undefined
  isInteger: boolean
  value: unknown
  onChange(value: unknown): void
}

/** A number of any length. What is typed stays as it is typed, such as `0.` on the way to `0.5`. */
export function NumberField({ value, isInteger, error, placeholder, onChange, ...rest }: NumberFieldProps) {
  const text = useSignal(textOf(value))
  const parsed = numberOf(text.value)
  // Changed from elsewhere, for example in the JSON.
  const shown = textOf(parsed) === textOf(value) || Number.isNaN(parsed) ? text.value : textOf(value)
  const problem = Number.isNaN(parsed)
    ? 'must be a number'
    : isInteger && typeof parsed === 'number' && !Number.isInteger(parsed)
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

const textOf = (value: unknown) => (typeof value === 'number' || isExactNumber(value) ? JSON.stringify(value) : '')

/** NaN: the text is not a number. */
function numberOf(text: string): unknown {
  if (text.trim() === '') return undefined
  const number = Number(text)
  if (!Number.isFinite(number)) return Number.NaN
  // Only what has many digits needs more than a number.
  return Number.isSafeInteger(number) || !/^\s*-?[1-9]\d*\s*$/.test(text) ? number : parseExact(text)
}
