import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'
import { mapObjects, type Node, namesOfSchemas } from './rewrite-document.ts'

// What generators of clients make of the OpenAPI document: each rule fixes a client that was generated and failed.

const gateway = await startTestGateway()
t.teardown(() => gateway[Symbol.asyncDispose]())
const { body } = await gateway.call('GET', '/openapi.json', { key: null })
const document = body as Node & {
  components: { schemas: Record<string, Node>; pathItems: Node }
  paths: Record<string, Node>
}
const { schemas } = document.components

const found = (where: unknown, matches: (node: Node) => boolean): Node[] => {
  const nodes: Node[] = []
  mapObjects(where, ({ examples: __, example: ___, ...node }) => {
    if (matches(node)) nodes.push(node)
    return node
  })
  return nodes
}

t.test(
  'values to which later versions add others are texts, so that a generated client reads an answer with a new one',
  async (t) => {
    const open = ['ErrorCode', 'WarningCode', 'PaperFormat', 'AssetType', 'RenderMode', 'Scope', 'TemplateChange']
    for (const name of open) {
      const { type, enum: closed, description, 'x-extensible-enum': known } = schemas[name] ?? {}
      t.equal(type, 'string', name)
      t.equal(closed, undefined, name)
      t.ok(Array.isArray(known) && known.every((value) => String(description).includes(`\`${value}\``)), name)
      t.match(description, /later versions may add others/, name)
    }
    const closed = Object.entries(schemas).flatMap(([name, schema]) => ('enum' in schema ? [name] : []))
    const states = ['DeliveryStatus', 'GenerationStatus', 'ApiKeyStatus', 'OwnerStatus', 'PartialVersionStatus']
    const ofBatches = ['BatchStatus', 'EndedBatchStatus', 'BatchEndedType']
    const ofEvents = ['Completed', 'Failed', 'Cancelled'].flatMap((name) => [`Generation${name}Type`, `${name}Status`])
    const choices = ['MediaOption', 'JavascriptOption', 'PreviewFormat', 'ReadinessStatus', 'TemplateSort']
    const places = ['StampLayer', 'StampPosition']
    t.strictSame(
      closed.sort(),
      [...states, ...ofBatches, ...ofEvents, ...choices, ...places].sort(),
      'closed: nothing is ever added to these',
    )
  },
)

t.test('an object inside a schema has a name, and says what it has', async (t) => {
  for (const [name, schema] of Object.entries(schemas)) {
    const isObject = ({ type }: Node) => [type].flat().includes('object')
    const inner = found({ ...schema, type: undefined }, (node) => isObject(node) && 'properties' in node)
    t.strictSame(inner, [], `${name}: objects in it are schemas of their own`)
    t.strictSame(
      found(schema, (node) => isObject(node) && !('properties' in node) && !('additionalProperties' in node)),
      [],
      `${name}: no object is without fields`,
    )
  }
})

t.test('schemas of answers are open, and those of requests are closed', async (t) => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item) as Node[])
  const closed = (name: string) => schemas[name]?.additionalProperties === false
  const sent = [
    ...namesOfSchemas([operations.map(({ responses }) => responses), document.components.pathItems], schemas),
  ]
  t.strictSame(sent.filter(closed), [])
  const received = [
    ...namesOfSchemas(
      operations.map(({ requestBody }) => requestBody),
      schemas,
    ),
  ]
  const isOpen = (name: string) => 'properties' in (schemas[name] ?? {}) && !closed(name)
  t.strictSame(received.filter(isOpen), [])
  t.hasStrict(new Set(sent), new Set(['TemplateOptionsResponse', 'MarginResponse']))
  t.hasStrict(new Set(received), new Set(['TemplateOptions', 'Margin']))
})

t.test('an answer with bytes has no JSON beside it, which generators would choose', async (t) => {
  for (const { content = {} } of found(document.paths, (node) => 'content' in node) as { content?: object }[]) {
    const types = Object.keys(content)
    if (types.includes('application/pdf')) t.notOk(types.includes('application/json'), types.join(', '))
  }
})

t.test('the fields of options are described in a merge patch, each with null', async (t) => {
  const { properties = {} } = schemas.TemplateOptionsPatch as { properties?: Record<string, Node> }
  const wanted = Object.keys((schemas.TemplateOptions as { properties: object }).properties)
  t.strictSame(Object.keys(properties).sort(), wanted.sort())
  for (const [name, { $ref, type }] of Object.entries(properties)) {
    const target = $ref === undefined ? type : schemas[String($ref).split('/').at(-1) ?? '']?.type
    // Without a type, it may be anything, also null.
    t.ok(target === undefined || [target].flat().includes('null'), name)
  }
})

t.test('what the server refuses is stated: a label with a version, a sample with data', async (t) => {
  const pair = { required: ['template_version', 'template_label'] }
  const ruleOf = (name: string) => Object.entries(schemas[name] ?? {}).find(([keyword]) => keyword === 'then')?.[1]
  t.match(ruleOf('GenerateRequest'), { not: pair })
  t.match(ruleOf('PreviewRequest'), { not: { anyOf: [pair, { required: ['sample', 'data'] }] } })
})

t.test('no two closed enums have a value of one name, as Go has one namespace for all', async (t) => {
  const names = Object.values(schemas).flatMap(({ enum: values, 'x-enum-varnames': named }) =>
    Array.isArray(values) ? ((named ?? values) as string[]).map((name) => name.toUpperCase()) : [],
  )
  t.strictSame(names.toSorted(), [...new Set(names)].toSorted())
  t.strictSame(schemas.OwnerStatus?.['x-enum-varnames'], ['OwnerStatusActive', 'OwnerStatusDisabled'])
  t.equal(
    schemas.GenerationStatus?.['x-enum-varnames'],
    undefined,
    'the one with the most values keeps the short names',
  )
})
