import { JsonObject } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { PdfOptions } from '../document/pdf-options.ts'
import { RetainInput } from '../document/retain-input.ts'

// The content of a template version: everything that a document needs except its data.

/** Limits in bytes, unless the name says otherwise. A version as JSON fits into one event and one NATS message. */
export const templateLimits = {
  nameLength: 200,
  htmlBytes: 512 * 1024,
  /** The size of `header_html`, and that of `footer_html`. */
  marginHtmlBytes: 64 * 1024,
  /** The size of each of these fields as JSON. */
  sampleDataBytes: 256 * 1024,
  optionsBytes: 16 * 1024,
  dataSchemaBytes: 64 * 1024,
  samplesBytes: 256 * 1024,
  samplesCount: 50,
  translationsBytes: 128 * 1024,
  helpersBytes: 64 * 1024,
  languagesCount: 50,
  /** The size of a whole version as JSON. A NATS message holds 1 MiB, an event 1,000,000 bytes. */
  versionBytes: 900_000,
} as const

const { header_html: _header, footer_html: _footer, ...optionFields } = PdfOptions.properties

/** The options of a request without `header_html` and `footer_html`, which are fields of the template itself. */
export const TemplateOptions = Type.Object(optionFields, {
  title: 'TemplateOptions',
  additionalProperties: false,
  description: 'defaults for `options` of a request, which override them field by field',
})
export type TemplateOptions = Static<typeof TemplateOptions>

export const Name = Type.String({ minLength: 1, maxLength: templateLimits.nameLength, pattern: '\\S' })
export const Html = Type.String({ minLength: 1, description: 'Handlebars source, at most 512 KiB' })
const header =
  'Handlebars source of the header of each page, at most 64 KiB; `options.header_html` of a request overrides it'
export const HeaderHtml = Type.String({ description: header })
export const FooterHtml = Type.String({ description: header.replaceAll('header', 'footer') })
export const FollowPartials = Type.Boolean({
  description: 'documents use the newest versions of partials, instead of those that the template was saved with',
})

/** JSON Schema (2020-12) of the data. Its keywords are checked when the template is saved. */
export const DataSchema = Type.Unsafe<JsonObject>({
  ...JsonObject,
  description: 'JSON Schema (2020-12) that the data of a request and the samples must match, at most 64 KiB',
})

/** Sets of sample data by name. */
export const Samples = Type.Unsafe<Record<string, JsonObject>>({
  title: 'Samples',
  type: 'object',
  maxProperties: templateLimits.samplesCount,
  propertyNames: { minLength: 1, maxLength: 64 },
  additionalProperties: { title: 'SampleData', ...JsonObject },
  description: 'named sets of sample data, at most 50 and 256 KiB',
  examples: [{ 'two pages': { number: 'R-1002' } }],
})
export type Samples = Static<typeof Samples>

/** The texts of a template by language and key. */
export const Translations = Type.Unsafe<Record<string, Record<string, string>>>({
  title: 'Translations',
  type: 'object',
  maxProperties: templateLimits.languagesCount,
  additionalProperties: { title: 'Dictionary', type: 'object', additionalProperties: { type: 'string' } },
  description: 'the texts that {{t "key"}} prints, by language tag and key, at most 50 languages and 128 KiB',
  examples: [{ en: { total: 'Total' }, de: { total: 'Summe' } }],
})
export type Translations = Static<typeof Translations>

/** The script of a template. Its functions are called by the template's own sources. */
export const OwnHelpers = Type.String({
  minLength: 1,
  maxLength: templateLimits.helpersBytes,
  description:
    'JavaScript that exports the helpers of the template, at most 64 KiB; an operator allows it with OWN_HELPERS=on',
  examples: ['export const gross = (net, rate) => net * (1 + rate / 100)'],
})

/** The versions of partials that a version of a template uses, by the name that the source has. */
export const PartialPins = Type.Unsafe<Record<string, PartialPin>>({
  title: 'PartialPins',
  type: 'object',
  additionalProperties: {
    title: 'PartialPin',
    type: 'object',
    properties: { id: { type: 'string' }, version: { type: 'integer', minimum: 1 } },
    required: ['id', 'version'],
  },
  description: 'the versions of partials that this version was saved with, by name',
})
export interface PartialPin {
  id: string
  version: number
}
export type PartialPins = Record<string, PartialPin>

/** The contents of assets that a version of a template uses, by name. */
export const AssetPins = Type.Unsafe<Record<string, string>>({
  title: 'AssetPins',
  type: 'object',
  additionalProperties: { type: 'string', pattern: '^[0-9a-f]{64}$' },
  description: 'the SHA-256 of the assets that this version was saved with, by name',
})
export type AssetPins = Record<string, string>

/** The fields that an author writes. The service that stores a template adds the pins. */
export const authoredFields = {
  name: Name,
  html: Html,
  sample_data: Type.Optional(JsonObject),
  options: Type.Optional(TemplateOptions),
  header_html: Type.Optional(HeaderHtml),
  footer_html: Type.Optional(FooterHtml),
  data_schema: Type.Optional(DataSchema),
  samples: Type.Optional(Samples),
  translations: Type.Optional(Translations),
  helpers: Type.Optional(OwnHelpers),
  follow_partials: Type.Optional(FollowPartials),
  retain_input: Type.Optional(RetainInput),
} as const

/** The content of a version. The order of the fields is that of answers and lists of changes. */
export interface TemplateContent {
  name: string
  html: string
  sample_data: JsonObject
  options?: TemplateOptions
  header_html?: string
  footer_html?: string
  data_schema?: JsonObject
  samples?: Samples
  translations?: Translations
  helpers?: string
  follow_partials?: boolean
  retain_input?: number
  partials?: PartialPins
  assets?: AssetPins
}

/** The names of `authoredFields`. */
export const authoredFieldNames = Object.keys(authoredFields) as (keyof typeof authoredFields)[]

export const contentFields = [
  ...authoredFieldNames,
  'partials',
  'assets',
] as const satisfies readonly (keyof TemplateContent)[]

type RequiredField = 'name' | 'html' | 'sample_data'
type OptionalField = Exclude<keyof TemplateContent, RequiredField>

/** Changes of a version: absent fields stay as they are, and null removes an optional one. */
export type TemplateChanges = Partial<Pick<TemplateContent, RequiredField>> & {
  [Field in OptionalField]?: TemplateContent[Field] | null
}

/** The content of anything that has its fields, without others. */
export function contentOf(template: TemplateContent): TemplateContent {
  return Object.fromEntries(
    contentFields.flatMap((field) => (template[field] === undefined ? [] : [[field, template[field]]])),
  ) as unknown as TemplateContent
}

/** The content after the changes. Fields that this program does not know are ignored. */
export function applyChanges(content: TemplateContent, changes: TemplateChanges): TemplateContent {
  const changed: Record<string, unknown> = { ...content }
  for (const field of contentFields) {
    const value = changes[field]
    if (value === null) delete changed[field]
    else if (value !== undefined) changed[field] = value
  }
  return changed as unknown as TemplateContent
}
