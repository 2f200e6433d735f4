import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { queryValue, setQuery } from '../router/address.ts'
import { Icon } from './icon.tsx'

interface SearchFieldProps {
  label: string
  placeholder?: string
  /** The value in the query of the address. Default `q`. */
  name?: string
}

const pauseMs = 150

/** A search that is part of the address. It is used when no key was pressed for a moment. `/` goes to it. */
export function SearchField({ label, placeholder, name = 'q' }: SearchFieldProps) {
  const id = useId()
  const wanted = queryValue(name)
  const text = useSignal(wanted)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // Back and forward change the address.
  useEffect(() => {
    if (timer.current === undefined) text.value = wanted
  }, [wanted])
  useEffect(() => () => clearTimeout(timer.current), [])
  const use = (value: string, delayMs: number) => {
    text.value = value
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      timer.current = undefined
      setQuery({ [name]: value.trim() })
    }, delayMs)
  }
  return (
    <div class="search-field">
      <label for={id} class="visually-hidden">
        {label}
      </label>
      <Icon name="search" />
      <input
        id={id}
        class="control"
        type="search"
        data-search
        autocomplete="off"
        spellcheck={false}
        placeholder={placeholder ?? label}
        value={text.value}
        onInput={({ currentTarget }) => use(currentTarget.value, pauseMs)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') use(currentTarget.value, 0)
        }}
      />
    </div>
  )
}
