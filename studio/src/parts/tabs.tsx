import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
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
  const list = useRef<HTMLFieldSetElement>(null)
  // Where there is no room for all of them, they scroll.
  useEffect(() => {
    list.current?.querySelector('[aria-pressed=true]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen])
  return (
    <fieldset ref={list} class="tabs">
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
