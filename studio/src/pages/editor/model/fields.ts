import type { Schemas } from '../../../api/client.ts'
import { parseExact } from '../../../api/exact-json.ts'

export type Template = Schemas['Template']
export type Changes = Schemas['UpdateTemplateRequest']
export type JsonObject = Record<string, unknown>

/** What one edits of a template. JSON that is edited as text is kept as text, so that it may be incomplete. */
export interface Fields {
  name: string
  html: string
  header_html: string
  footer_html: string
  sample_data: string
  /** By the name of the set. */
  samples: Readonly<Record<string, string>>
  options: JsonObject
  data_schema: string
  translations: string
  helpers: string
  /** Those that are open beside the sources, by name. They are saved by themselves. */
  partials: Readonly<Record<string, EditedPartial>>
}

export interface EditedPartial {
  html: string
  /** The version that is changed. 0: it is not saved yet. */
  version: number
}

export type FieldName = keyof Fields

export const fieldTitles: Readonly<Record<FieldName, string>> = {
  name: 'Name',
  html: 'Body',
  header_html: 'Header',
  footer_html: 'Footer',
  sample_data: 'Sample data',
  samples: 'Sets of data',
  options: 'Options',
  data_schema: 'Schema',
  translations: 'Translations',
  helpers: 'Helpers',
  partials: 'Partials',
}
export const fieldNames = Object.keys(fieldTitles) as FieldName[]

export const textOfJson = (value: unknown) => JSON.stringify(value, null, 2)

export function fieldsOf(template: Template): Fields {
  const { name, html, header_html = '', footer_html = '', sample_data, samples = {}, options = {} } = template
  return {
    name,
    html,
    header_html,
    footer_html,
    sample_data: textOfJson(sample_data),
    samples: Object.fromEntries(Object.entries(samples).map(([set, data]) => [set, textOfJson(data)])),
    options,
    data_schema: template.data_schema === undefined ? '' : textOfJson(template.data_schema),
    translations: template.translations === undefined ? '' : textOfJson(template.translations),
    helpers: template.helpers ?? '',
    partials: {},
  }
}

/** A field as a text, to compare two of them. */
export function fieldText(fields: Fields, name: FieldName): string {
  const { [name]: value } = fields
  if (typeof value === 'string') return value
  if (name !== 'samples') return textOfJson(value)
  return textOfJson(Object.fromEntries(Object.entries(fields.samples).map(([set, text]) => [set, parsedOr(text)])))
}

/** The inverse of `fieldText`. Throws a SyntaxError for a text that is not JSON. */
export function withFieldText(fields: Fields, name: FieldName, text: string): Fields {
  if (typeof fields[name] === 'string') return { ...fields, [name]: text }
  const value = parseExact(text) as JsonObject
  if (name === 'options' || name === 'partials') return { ...fields, [name]: value }
  const samples = Object.entries(value).map(([set, data]) => [set, textOfJson(data)])
  return { ...fields, samples: Object.fromEntries(samples) as Record<string, string> }
}

function parsedOr(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

/** The fields that differ. */
export function changedFields(before: Fields, after: Fields): FieldName[] {
  return fieldNames.filter((name) => before[name] !== after[name] && fieldText(before, name) !== fieldText(after, name))
}

/** The partials whose source differs, by name. */
export function changedPartials(before: Fields, after: Fields): [name: string, partial: EditedPartial][] {
  return Object.entries(after.partials).filter(([name, { html }]) => before.partials[name]?.html !== html)
}

/** The request that saves the changes of the template. The texts must be JSON. */
export function changesOf(before: Fields, after: Fields): Changes {
  const changes: JsonObject = {}
  for (const name of changedFields(before, after)) {
    if (name !== 'partials') changes[name] = requestValue(after, name)
  }
  return changes as Changes
}

/** A field as the API takes it. `null` removes it. */
function requestValue(fields: Fields, name: FieldName): unknown {
  const { [name]: value, samples } = fields
  switch (name) {
    case 'header_html':
    case 'footer_html':
    case 'helpers':
      return value === '' ? null : value
    case 'data_schema':
    case 'translations':
      return fields[name].trim() === '' ? null : parseExact(fields[name])
    case 'sample_data':
      return parseExact(fields.sample_data)
    case 'samples': {
      const sets = Object.entries(samples).map(([set, text]) => [set, parseExact(text)])
      return sets.length === 0 ? null : Object.fromEntries(sets)
    }
    case 'options':
      return Object.keys(fields.options).length === 0 ? null : value
    default:
      return value
  }
}
