import { useSignal } from '@preact/signals'
import { parseExact } from '../../../api/exact-json.ts'
import { TextArea } from '../../../parts/fields.tsx'

interface JsonFieldProps {
  label: string
  hint?: string
  error?: string | undefined
  value: unknown
  onChange(value: unknown): void
}

/** A value that no other field fits. */
export function JsonField({ value, error, onChange, ...rest }: JsonFieldProps) {
  const typed = useSignal<string | undefined>(undefined)
  const isJson = typed.value === undefined || typed.value.trim() === '' || parses(typed.value)
  return (
    <TextArea
      {...rest}
      error={isJson ? error : 'is not JSON'}
      rows={3}
      value={typed.value ?? (value === undefined ? '' : JSON.stringify(value, null, 2))}
      onInput={(text) => {
        typed.value = text
        if (text.trim() === '') onChange(undefined)
        else if (parses(text)) onChange(parseExact(text))
      }}
    />
  )
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
