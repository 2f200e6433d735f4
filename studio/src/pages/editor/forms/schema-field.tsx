import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { parseExact } from '../../../api/exact-json.ts'
import { CheckField, SelectField, TextArea, TextField } from '../../../parts/fields.tsx'
import { Marked } from '../../../parts/marked.tsx'
import { choicesOf, defaultOf, hintOf, isTooDeep, kindOf, resolved, typeOf } from './json-schema.ts'
import { ListField } from './list-field.tsx'
import { NumberField } from './number-field.tsx'
import { ObjectField } from './object-field.tsx'
import type { SchemaFieldProps } from './schema-field-props.ts'

interface JsonFieldProps {
  label: string
  hint?: ComponentChildren
  error?: string | undefined
  value: unknown
  onChange(value: unknown): void
}

/** A value that no other field fits. */
function JsonField({ value, error, onChange, ...rest }: JsonFieldProps) {
  const typed = useSignal<string | undefined>(undefined)
  const isEmpty = typed.value === undefined || typed.value.trim() === ''
  const isJson = isEmpty || parses(typed.value ?? '')
  // Changed from elsewhere: another item has moved to this place of a list, for example.
  const isOther = !isEmpty && isJson && textOf(parsedOf(typed.value ?? '')) !== textOf(value)
  return (
    <TextArea
      {...rest}
      error={isJson ? error : 'is not JSON'}
      rows={3}
      value={typed.value === undefined || isOther ? textOf(value) : typed.value}
      onInput={(text) => {
        typed.value = text
        if (text.trim() === '' || parses(text)) onChange(parsedOf(text))
      }}
    />
  )
}

const textOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value, null, 2))
const parsedOf = (text: string) => (text.trim() === '' ? undefined : parseExact(text))

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

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
