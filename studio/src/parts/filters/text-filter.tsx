import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { queryValue, setQuery } from '../../router/address.ts'
import { Button } from '../button.tsx'
import { TextField } from '../fields.tsx'
import { FilterChip } from './filter-chip.tsx'

interface TextFilterProps {
  label: string
  /** The value in the query of the address. */
  name: string
  hint: string
  placeholder: string
}

/** A filter by a text. It is part of the address. */
export function TextFilter({ label, name, hint, placeholder }: TextFilterProps) {
  const chosen = queryValue(name)
  const text = useSignal(chosen)
  useEffect(() => {
    text.value = chosen
  }, [chosen])
  return (
    <FilterChip label={label} value={chosen} onClear={() => setQuery({ [name]: '' }, { replace: false })}>
      {(close) => (
        <form
          class="filter-form"
          onSubmit={(event) => {
            event.preventDefault()
            close()
            setQuery({ [name]: text.value.trim() }, { replace: false })
          }}
        >
          <TextField
            label={label}
            hint={hint}
            placeholder={placeholder}
            value={text.value}
            onInput={(value) => {
              text.value = value
            }}
          />
          <Button type="submit" tone="primary">
            Apply
          </Button>
        </form>
      )}
    </FilterChip>
  )
}
