import { queryValue, setQuery } from '../../router/address.ts'
import { FilterChip } from './filter-chip.tsx'
import { FilterChoices } from './filter-choices.tsx'

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
        <FilterChoices
          choices={choices}
          chosen={chosen}
          onChoose={(value) => {
            close()
            choose(value)
          }}
        />
      )}
    </FilterChip>
  )
}
