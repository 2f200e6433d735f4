import type { ComponentChildren } from 'preact'
import { queryValue, setQuery } from '../router/address.ts'

interface TabsProps {
  /** What is chosen: `Which templates`. */
  label: string
  /** The value in the query of the address. */
  name: string
  /** The first one has an empty value. */
  tabs: readonly { value: string; text: ComponentChildren }[]
}

/** A choice between a few lists, which is part of the address. */
export function Tabs({ label, name, tabs }: TabsProps) {
  const chosen = queryValue(name)
  return (
    <fieldset class="tabs">
      <legend class="visually-hidden">{label}</legend>
      {tabs.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === chosen}
          onClick={() => setQuery({ [name]: value }, { replace: false })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  )
}
