import { queryValue, setQuery } from '../../router/address.ts'
import { Icon } from '../icon.tsx'
import { FilterChip, moveBetween } from './filter-chip.tsx'

interface ChoiceFilterProps {
  label: string
  /** The value in the query of the address. */
  name: string
  choices: readonly { value: string; text: string }[]
  /** Other values of the query that go with the choice, and are removed when it changes. */
  clears?: readonly string[]
}

/** A filter that has one of a few values. It is part of the address. */
export function ChoiceFilter({ label, name, choices, clears = [] }: ChoiceFilterProps) {
  const choose = (value: string) =>
    setQuery({ ...Object.fromEntries(clears.map((other) => [other, ''])), [name]: value }, { replace: false })
  const chosen = queryValue(name)
  const text = chosen === '' ? '' : (choices.find(({ value }) => value === chosen)?.text ?? chosen)
  return (
    <FilterChip label={label} value={text} onClear={() => choose('')}>
      {(close) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons
        <div class="filter-choices" onKeyDown={moveBetween}>
          {choices.map(({ value, text }) => (
            <button
              key={value}
              type="button"
              aria-pressed={value === chosen}
              onClick={() => {
                close()
                choose(value)
              }}
            >
              {text}
              {value === chosen && <Icon name="check" />}
            </button>
          ))}
          {choices.length === 0 && <p>There is nothing to choose from.</p>}
        </div>
      )}
    </FilterChip>
  )
}
