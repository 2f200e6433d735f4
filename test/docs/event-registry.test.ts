import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import asyncapi from '@asyncapi/specs'
import { eventCatalogue } from '@platen/domain/catalogue/event-catalogue.ts'
import {
  events,
  type PublishedEventType,
  publishedEvents,
  publishedTypes,
  relays,
} from '@platen/domain/catalogue/events.ts'
import { dataSchemas, messageExample } from '@platen/domain/catalogue/json-schemas.ts'
import { publicExample, schemaFile, schemaFileOf } from '@platen/domain/catalogue/messages.ts'
import { versionOf } from '@platen/domain/events/define-event.ts'
import { type PlatenEvent, parseEvent } from '@platen/events'
import type { Json, JsonObject } from '@platen/foundation/json/json.ts'
import { isUpToDate } from '@platen/test-support/up-to-date.ts'
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import t from 'tap'
import { parse } from 'yaml'
import { incompatibilities, isSameShape } from '../../scripts/event-compatibility.ts'
import { eventFiles, type Golden, goldenFolder, root } from '../../scripts/write-event-docs.ts'

const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true }))
const validators = new Map<string, ValidateFunction>(
  [...dataSchemas()].map(([file, schema]) => [file, ajv.compile(schema)]),
)
const validatorOf = (type: PublishedEventType) => validators.get(schemaFileOf(type))
const readJson = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

t.test('the files that are made from the registry of events are up to date', async (t) => {
  for (const [path, text] of await eventFiles()) {
    isUpToDate(t, path, text)
  }
  const found = readdirSync(join(root, 'docs/schemas')).filter((name) => name.endsWith('.json'))
  t.strictSame(
    found.sort(),
    [...dataSchemas().keys()].sort(),
    'docs/schemas has one file for each schema: run npm run generate, and delete those that are too many',
  )
})

t.test('the example of each event has its schema, and a schema refuses what is not the event', async (t) => {
  for (const type of publishedTypes) {
    const validate = validatorOf(type)
    t.ok(validate?.(publicExample(type)), `${type} ${JSON.stringify(validate?.errors)}`)
    t.notOk(validate?.('text'), type)
  }
  t.notOk(validatorOf('GenerationCompleted')?.({ pages: 1 }))
})

t.test('asyncapi.yaml is a document of AsyncAPI 3.0', async (t) => {
  const document = parse(readFileSync(join(root, 'docs/asyncapi.yaml'), 'utf8'))
  const official = addFormats.default(new Ajv({ strict: false, allErrors: true }))
  const validate = official.compile(asyncapi.schemasWithoutId['3.0.0'] as AnySchemaObject)
  t.ok(validate(document), JSON.stringify(validate.errors?.slice(0, 3)))
  t.notOk(validate({ ...document, channels: { wrong: 5 } }))
  const files = [...readFileSync(join(root, 'docs/asyncapi.yaml'), 'utf8').matchAll(/\.\/schemas\/(\S+\.json)/g)]
  t.strictSame(
    new Set(files.map(([, file]) => file)),
    new Set(dataSchemas().keys()),
    'it names every schema: run npm run generate',
  )
})

const golden = (file: string): Golden => readJson(join(root, goldenFolder, file))
const goldenFiles = readdirSync(join(root, goldenFolder))

t.test('each version of an event is read and published, and so is a later one', async (t) => {
  for (const file of goldenFiles) {
    const { id, recorded, opening, published } = golden(file)
    const { type, data, metadata } = recorded
    const { aggregate, published: form } = publishedEvents[type]
    const unreadable = (data: Json) =>
      eventCatalogue.whyUnreadable({ stream: `${aggregate.category}-${id}`, type, data })
    const context = { id, opening: opening ?? form.opening?.lost ?? null }
    t.equal(file, schemaFile(type, Number(metadata.version ?? 1)), 'the name is the type and the version')
    t.equal(unreadable(eventCatalogue.upcast(recorded) as Json), undefined, file)
    const current = form.toPublic(eventCatalogue.upcast(recorded) as Json, context)
    t.strictSame(
      JSON.parse(JSON.stringify(current)),
      published,
      `${goldenFolder}/${file}: golden files are never changed: fix the upcaster or the public form of the event`,
    )
    const validate = validatorOf(type)
    t.ok(validate?.(current), `${file} ${JSON.stringify(validate?.errors)}`)

    const later = { type, data: { ...(data as JsonObject), more: 1 }, metadata: { ...metadata, version: 99 } }
    t.equal(unreadable(later.data), undefined, file)
    const read = form.toPublic(eventCatalogue.upcast(later) as Json, context)
    t.strictSame(read, current, `${file}: a field of a later version is ignored`)
  }
  for (const type of publishedTypes) {
    const versions = Array.from({ length: versionOf(publishedEvents[type]) }, (_, at) => schemaFile(type, at + 1))
    for (const file of versions)
      t.ok(goldenFiles.includes(file), `there is a golden file ${file}; run npm run generate`)
  }
})

t.test('the example of each event that is recorded can be read, and is described for a person', async (t) => {
  for (const { type, aggregate, data, example, describe } of Object.values(events)) {
    const fact = { stream: `${aggregate.category}-${example.id}`, type, data: example.data }
    t.equal(eventCatalogue.whyUnreadable(fact), undefined, type)
    t.ok(describe(example.data as JsonObject)[0], type)
    t.ok(data, type)
  }
})

t.test('a relay publishes each category that has published events', async (t) => {
  const relayed = Object.values(relays).flat()
  for (const { type, aggregate, published } of Object.values(publishedEvents)) {
    t.ok(relayed.includes(aggregate.category), type)
    t.ok(
      published.subject.startsWith(`${aggregate.category}.`),
      `${type}: its relay resumes after \`events.<category>.>\``,
    )
  }
})

t.test('events stay compatible with those of the last release', async (t) => {
  const folder = join(root, 'docs/schemas/released')
  const files = existsSync(folder) ? readdirSync(folder) : []
  t.strictSame(changesSince(new Map(files.map((file) => [file, readJson(join(folder, file))]))), [])
})

t.test('a change that a release forbids is found', async (t) => {
  const current = dataSchemas()
  t.strictSame(changesSince(current as Release), [])
  const [started = '', cancelled = ''] = [...current.keys()].filter((file) => /^Generation(Star|Can)/.test(file))
  const withField = (file: string, more: object) => {
    const schema = current.get(file) as AnySchemaObject
    return { ...schema, properties: { ...schema.properties, ...more } }
  }
  t.strictSame(changesSince(new Map([[started, withField(started, { more: {} })]])), [
    `${started}: data.more: was removed`,
    'GenerationStarted has changed: raise its version and add an upcaster',
  ])
  const { metadata: _, ...fewer } = withField(cancelled, {}).properties
  t.strictSame(changesSince(new Map([[cancelled, { ...withField(cancelled, {}), properties: fewer }]])), [
    'GenerationCancelled has changed: raise its version and add an upcaster',
  ])
  t.strictSame(changesSince(new Map([['GenerationPaused.1.json', {}]])), ['GenerationPaused was removed'])
})

type Release = ReadonlyMap<string, Parameters<typeof incompatibilities>[0]>

/** What the events of today may not do after this release. */
function changesSince(release: Release): string[] {
  return [...release].flatMap(([file, released]) => {
    const [type = '', version] = basename(file, '.json').split('.')
    const event = publishedEvents[type as PublishedEventType]
    const current = event && dataSchemas().get(schemaFile(type, versionOf(event)))
    if (current === undefined) return [`${type} was removed`]
    const problems = incompatibilities(released, { ...current }).map((problem) => `${file}: ${problem}`)
    const isUnchanged = versionOf(event) > Number(version) || isSameShape(released, { ...current })
    return isUnchanged ? problems : [...problems, `${type} has changed: raise its version and add an upcaster`]
  })
}

t.test('what subscribers could not read any more is found', async (t) => {
  const released = {
    type: 'object',
    required: ['id', 'size'],
    properties: { id: { type: 'string' }, size: { type: 'integer' }, note: { type: 'string', description: 'a' } },
  }
  const { id, size, note } = released.properties
  const change = (changes: object) => incompatibilities(released, { ...released, ...changes })
  t.strictSame(change({ properties: { id, size, note: { ...note, description: 'b' }, more: {} } }), [])
  t.strictSame(change({ required: ['id', 'size', 'note'] }), [])
  t.strictSame(change({ required: ['id'] }), ['data.size: may be absent now'])
  t.strictSame(change({ properties: { id, size } }), ['data.note: was removed'])
  t.strictSame(change({ properties: { id, size: { type: 'number' }, note } }), ['data.size: type has changed'])
  t.strictSame(change({ properties: { id: { ...id, enum: ['a'] }, size, note } }), ['data.id: enum has changed'])
  t.ok(isSameShape(released, { ...released, properties: { id, size, note: { type: 'string' } } }))
  t.notOk(isSameShape(released, { ...released, properties: { ...released.properties, more: {} } }))
})

t.test('@platen/events parses a message and has the types of its data', async (t) => {
  const event: PlatenEvent = parseEvent(Buffer.from(JSON.stringify(messageExample('GenerationCompleted', 'x:'))))
  if (event.type !== 'com.platen.GenerationCompleted') return t.fail(event.type)
  const { pages, metadata }: { pages: number; metadata: Record<string, string> } = event.data
  t.same({ pages, metadata }, { pages: 2, metadata: { order: '2026-0042' } })
  for (const text of ['{', 'null', '{}', '{"specversion":"0.3","type":"a","id":"b"}']) t.throws(() => parseEvent(text))
})
