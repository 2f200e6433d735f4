import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { parseExact } from '../../../api/exact-json.ts'
import { TextArea } from '../../../parts/fields.tsx'

interface JsonFieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  value: unknown
  onChange(value: unknown): void
}

/** A value that no other field fits. */
export function JsonField({ value, error, onChange, ...rest }: JsonFieldProps) {
  const typed = useSignal<string | undefined>(undefined)
  const isEmpty = typed.value === undefined || typed.value.trim() === ''
  const isJson = isEmpty || parses(typed.value ?? '')
  // Changed from elsewhere: another item has moved to this place of a list, for example.
  const isOther = !isEmpty && isJson && textOf(parsedOf(typed.value ?? '')) !== textOf(value)
  return (
    <TextArea
      {...rest}
      error={isJson ? error : 'is not JSON'}
      rows={3}
      value={typed.value === undefined || isOther ? textOf(value) : typed.value}
      onInput={(text) => {
        typed.value = text
        if (text.trim() === '' || parses(text)) onChange(parsedOf(text))
      }}
    />
  )
}

const textOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2))
const parsedOf = (text: string) => (text.trim() === '' ? undefined : parseExact(text))

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
