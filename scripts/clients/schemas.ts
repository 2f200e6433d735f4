/** A JSON schema, as far as the types of the clients need it. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly string[]
  /** Values to which later versions add others. */
  'x-extensible-enum'?: readonly string[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  oneOf?: readonly Schema[]
  description?: string
}

export interface Document {
  components: { schemas: Readonly<Record<string, Schema>> }
}

/** Schemas that the clients in Python and Go take and return. */
const roots = [
  ...['GenerateInput', 'GenerateAsyncInput', 'Generation', 'CompletedGeneration', 'GenerationWebhook'],
  ...['Template', 'ListedTemplate', 'CreateTemplateRequest', 'UpdateTemplateRequest', 'Asset'],
  ...['Batch', 'BatchRequest', 'Erasure'],
  ...['Partial', 'ListedPartial', 'PreviewRequest', 'WebhookSecret'],
]

/** Schemas of request bodies. */
const requests = [
  'GenerateInput',
  'GenerateAsyncInput',
  'BatchRequest',
  'CreateTemplateRequest',
  'UpdateTemplateRequest',
  'PreviewRequest',
]

/** `CompletedGeneration` is what `generate` returns, as in `@platen/client`. */
const renamed: Readonly<Record<string, string>> = {
  CompletedGeneration: 'GenerationCompletedData',
  FailedGeneration: 'GenerationFailedData',
  CancelledGeneration: 'GenerationCancelledData',
}

/** References to lists of codes. Clients type a code as text, because a later version of Platen may have more. */
const codeReference = /\{"\$ref":"#\/components\/schemas\/(ErrorCode|WarningCode)"\}/g

/**
 * The document without the open copies of closed schemas, which responses have: a type of the clients takes fields that it does
 * not know, so that what was read can be sent again.
 */
export function withoutCopies(document: Document): Document {
  const { schemas } = document.components
  const originals = new Map<string, string>()
  for (const name of Object.keys(schemas)) {
    const original = name.replace(/Response$/, '')
    if (original !== name && schemas[original]?.additionalProperties === false) originals.set(name, original)
  }
  const kept = Object.fromEntries(Object.entries(schemas).filter(([name]) => !originals.has(name)))
  const text = JSON.stringify({ ...document, components: { ...document.components, schemas: kept } })
  const place = '#/components/schemas/'
  return JSON.parse(
    text.replaceAll(/"#\/components\/schemas\/(\w+)"/g, (_, name) => `"${place}${originals.get(name) ?? name}"`),
  )
}

export type Schemas = ReadonlyMap<string, Schema>

export interface ClientSchemas {
  /** The schemas, sorted by name. */
  schemas: Schemas
  /** Names of the schemas that are part of a request. */
  sent: ReadonlySet<string>
  /** Names of objects that may be `null` instead. */
  nullable: ReadonlySet<string>
}

/** The schemas of an OpenAPI document that are types of the clients. Throws if one is not in the document. */
export function clientSchemas(document: Document): ClientSchemas {
  const text = JSON.stringify(withoutCopies(document).components.schemas)
  const components: Document['components']['schemas'] = JSON.parse(text.replaceAll(codeReference, '{"type":"string"}'))
  const known = new Map(Object.entries(components).map(([name, schema]) => [renamed[name] ?? name, schema]))
  const request = named(known, 'GenerateRequest')
  const generation = named(known, 'Generation')
  const { async: _, ...asyncFields } = request.properties ?? {}
  const { webhook_url: __, ...fields } = asyncFields
  const always = ['url', 'pages', 'size', 'duration_ms', 'warnings']
  known.set('GenerateInput', {
    type: 'object',
    properties: fields,
    description: 'What to print: `html` or `template`.',
  })
  known.set('GenerateAsyncInput', { type: 'object', properties: asyncFields, description: 'What to queue.' })
  known.set('CompletedGeneration', {
    ...generation,
    required: [...(generation.required ?? []), ...always],
    description: 'A generation whose PDF can be fetched.',
  })
  const schemas = reachable(known, roots)
  const nullable = [...schemas].filter(([, schema]) => schema.properties && typeOf(schema).isNullable)
  return {
    schemas,
    sent: new Set(reachable(known, requests).keys()),
    nullable: new Set(nullable.map(([name]) => name)),
  }
}

export const nameOf = (ref: string) => {
  const name = ref.slice(ref.lastIndexOf('/') + 1)
  return renamed[name] ?? name
}

function named(known: ReadonlyMap<string, Schema>, name: string): Schema {
  const schema = known.get(name)
  if (!schema)
    throw new Error(
      `the OpenAPI document has no schema ${name}, which the clients use: edit scripts/clients/schemas.ts`,
    )
  return schema
}

function reachable(known: ReadonlyMap<string, Schema>, names: readonly string[]): Schemas {
  const found = new Map<string, Schema>()
  const visit = (name: string) => {
    if (found.has(name)) return
    const schema = named(known, name)
    found.set(name, schema)
    for (const ref of refsOf(schema)) visit(nameOf(ref))
  }
  for (const name of names) visit(name)
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function refsOf({ $ref, properties = {}, additionalProperties, items, oneOf = [] }: Schema): string[] {
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
  const inner = [...Object.values(properties), ...values, ...(items ? [items] : []), ...oneOf]
  return [...($ref === undefined ? [] : [$ref]), ...inner.flatMap(refsOf)]
}

/** The type without `null`, and whether it may be `null`. */
export function typeOf({ type }: Schema): { type: string | undefined; isNullable: boolean } {
  const types = typeof type === 'string' ? [type] : (type ?? [])
  return { type: types.find((one) => one !== 'null'), isNullable: types.includes('null') }
}
