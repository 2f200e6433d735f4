import { useSignal } from '@preact/signals'
import { Button, IconButton } from '../../../parts/button.tsx'
import { formatNumber } from '../../../parts/format.ts'
import { emptyValue, resolved } from './json-schema.ts'
import type { OuterFieldProps } from './schema-field-props.ts'

/** Of a long list, so many items are shown at once. */
const shownAtOnce = 20

/** The items of a list, which can be added, removed and moved. */
export function ListField({ label, schema, root, value, path, problemOf, onChange, Field }: OuterFieldProps) {
  const shown = useSignal(shownAtOnce)
  const items = Array.isArray(value) ? (value as unknown[]) : []
  const itemSchema = resolved(schema.items ?? {}, root)
  const problem = problemOf(path)
  const remove = (at: number) => onChange(items.filter((_, index) => index !== at))
  const moveUp = (at: number) => onChange(items.with(at - 1, items[at]).with(at, items[at - 1]))
  return (
    <fieldset class="editor-group">
      <legend>
        {label} <span class="editor-amount">{formatNumber(items.length)}</span>
      </legend>
      {items.slice(0, shown.value).map((item, at) => (
        <div key={at} class="editor-item">
          <Field
            label={String(at + 1)}
            schema={itemSchema}
            root={root}
            value={item}
            path={`${path}[${at}]`}
            isRequired
            isItem
            problemOf={problemOf}
            onChange={(to) => onChange(items.with(at, to ?? emptyValue(itemSchema, root)))}
          />
          <div class="editor-item-buttons">
            {at > 0 && <IconButton icon="arrow-up" label={`Move ${label} ${at + 1} up`} onClick={() => moveUp(at)} />}
            <IconButton icon="trash-2" label={`Remove ${label} ${at + 1}`} onClick={() => remove(at)} />
          </div>
        </div>
      ))}
      <div class="button-row">
        {items.length > shown.value && (
          <Button
            tone="quiet"
            onClick={() => {
              shown.value += shownAtOnce
            }}
          >
            Show {Math.min(shownAtOnce, items.length - shown.value)} more
          </Button>
        )}
        <Button
          icon="plus"
          onClick={() => {
            shown.value = Math.max(shown.value, items.length + 1)
            onChange([...items, emptyValue(itemSchema, root)])
          }}
        >
          Add
        </Button>
      </div>
      {problem !== undefined && <p class="field-error">{problem}</p>}
    </fieldset>
  )
}
