import type { ComponentChildren } from 'preact'
import { CheckField, SelectField, TextField } from '../../../parts/fields.tsx'
import { Marked } from '../../../parts/marked.tsx'
import { JsonField } from './json-field.tsx'
import { choicesOf, defaultOf, hintOf, isTooDeep, kindOf, resolved, typeOf } from './json-schema.ts'
import { ListField } from './list-field.tsx'
import { NumberField } from './number-field.tsx'
import { ObjectField } from './object-field.tsx'
import type { SchemaFieldProps } from './schema-field-props.ts'

/** The field of a value that a JSON Schema describes. */
export function SchemaField(props: SchemaFieldProps) {
  const { value, path, root, isRequired = false, isItem = false, problemOf, onChange } = props
  const schema = resolved(props.schema, root)
  const label = `${schema.title ?? props.label}${isRequired && !isItem ? ' *' : ''}`
  const standard = defaultOf(schema)
  const hint = hintOf(schema)
  const common = { label, error: problemOf(path), ...(hint !== undefined && { hint: <Marked text={hint} /> }) }
  const placeholder = props.placeholder ?? (standard === undefined ? undefined : String(standard))
  const kind = kindOf(schema, root)
  switch (kind === 'object' && isTooDeep(path, value) ? 'json' : kind) {
    case 'choice':
      return (
        <SelectField
          {...common}
          value={typeof value === 'string' ? value : ''}
          options={[
            { value: '', text: noneText(standard, isRequired) },
            ...(choicesOf(schema) ?? []).map((choice) => ({ value: choice, text: choice })),
          ]}
          onChange={(chosen) => onChange(chosen === '' ? undefined : chosen)}
        />
      )
    case 'flag':
      return (
        <SelectField
          {...common}
          value={typeof value === 'boolean' ? String(value) : ''}
          options={[
            { value: '', text: noneText(typeof standard === 'boolean' ? onOff(standard) : standard, isRequired) },
            { value: 'true', text: onOff(true) },
            { value: 'false', text: onOff(false) },
          ]}
          onChange={(chosen) => onChange(chosen === '' ? undefined : chosen === 'true')}
        />
      )
    case 'number':
      return (
        <NumberField
          {...common}
          placeholder={placeholder}
          isInteger={typeOf(schema) === 'integer'}
          value={value}
          onChange={onChange}
        />
      )
    case 'text':
      return (
        <TextField
          {...common}
          {...(placeholder !== undefined && { placeholder })}
          value={typeof value === 'string' ? value : ''}
          // An empty text is one, where there must be a text.
          onInput={(text) => onChange(text === '' && !isRequired ? undefined : text)}
        />
      )
    case 'choices':
      return (
        <ChoicesField
          {...common}
          choices={choicesOf(resolved(schema.items ?? {}, root)) ?? []}
          value={value}
          onChange={onChange}
        />
      )
    case 'object':
      return <ObjectField {...props} Field={SchemaField} schema={schema} label={label} />
    case 'list':
      return <ListField {...props} Field={SchemaField} schema={schema} label={label} />
    default:
      return <JsonField {...common} value={value} onChange={onChange} />
  }
}

const onOff = (isOn: boolean) => (isOn ? 'On' : 'Off')

function noneText(standard: unknown, isRequired: boolean): string {
  if (standard !== undefined) return `Default (${String(standard)})`
  return isRequired ? 'Choose' : 'Not set'
}

interface ChoicesFieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  choices: readonly string[]
  value: unknown
  onChange(value: string[] | undefined): void
}

/** Any of a few values. */
function ChoicesField({ label, hint, error, choices, value, onChange }: ChoicesFieldProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  return (
    <fieldset class="editor-group">
      <legend>{label}</legend>
      {hint !== undefined && <p class="field-hint">{hint}</p>}
      {choices.map((choice) => (
        <CheckField
          key={choice}
          label={choice}
          checked={chosen.includes(choice)}
          onChange={(isChecked) => {
            const next = choices.filter((one) => (one === choice ? isChecked : chosen.includes(one)))
            onChange(next.length === 0 ? undefined : next)
          }}
        />
      ))}
      {error !== undefined && <p class="field-error">{error}</p>}
    </fieldset>
  )
}
