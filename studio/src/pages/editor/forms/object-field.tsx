import { Marked } from '../../../parts/marked.tsx'
import type { JsonObject } from '../model/fields.ts'
import { defaultInside, hintOf } from './json-schema.ts'
import type { OuterFieldProps } from './schema-field-props.ts'

/** The fields of an object. Values that the schema does not name stay as they are. */
export function ObjectField({ label, schema, root, value, path, problemOf, onChange, Field }: OuterFieldProps) {
  const { properties = {}, required = [] } = schema
  const object = isObject(value) ? value : {}
  const problem = problemOf(path)
  const hint = hintOf(schema)
  const change = (name: string, to: unknown) => {
    const { [name]: _, ...others } = object
    // The order of the fields stays.
    const next = to === undefined ? others : name in object ? { ...object, [name]: to } : { ...others, [name]: to }
    onChange(Object.keys(next).length === 0 && path !== '' ? undefined : next)
  }
  const fields = Object.entries(properties).map(([name, property]) => (
    <Field
      key={name}
      label={labelOf(name)}
      schema={property}
      root={root}
      value={object[name]}
      path={path === '' ? name : `${path}.${name}`}
      placeholder={defaultInside(schema, name)}
      isRequired={required.includes(name)}
      problemOf={problemOf}
      onChange={(to) => change(name, to)}
    />
  ))
  return (
    <fieldset class="editor-group">
      <legend>{label}</legend>
      {hint !== undefined && (
        <p class="field-hint">
          <Marked text={hint} />
        </p>
      )}
      <div class="editor-fields">{fields}</div>
      {problem !== undefined && <p class="field-error">{problem}</p>}
    </fieldset>
  )
}

const abbreviations = /\b(css|html|pdf|url)\b/g

/** `print_background` is `Print background`, and `base_url` is `Base URL`. */
export function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(abbreviations, (word) => word.toUpperCase())
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
