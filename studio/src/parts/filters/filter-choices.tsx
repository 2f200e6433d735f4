import { Icon } from '../icon.tsx'
import { moveBetweenButtons } from '../move-focus.ts'

interface FilterChoicesProps {
  choices: readonly { value: string; text: string }[]
  chosen: string
  onChoose(value: string): void
}

/** The values of a filter, of which one is chosen. Arrows move between them. */
export function FilterChoices({ choices, chosen, onChoose }: FilterChoicesProps) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons
    <div class="filter-choices" onKeyDown={moveBetweenButtons}>
      {choices.map(({ value, text }) => (
        <button
          key={value}
          type="button"
          class="option"
          aria-pressed={value === chosen}
          onClick={() => onChoose(value)}
        >
          {text}
          {value === chosen && <Icon name="check" />}
        </button>
      ))}
      {choices.length === 0 && <p>There is nothing to choose from.</p>}
    </div>
  )
}
