import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { asyncApi } from '@platen/domain/catalogue/asyncapi.ts'
import { type PublishedEventType, publishedEvents, publishedTypes } from '@platen/domain/catalogue/events.ts'
import { dataSchemas, envelope, messageExample, plain } from '@platen/domain/catalogue/json-schemas.ts'
import {
  allEventsOf,
  cloudEventType,
  publicExample,
  schemaFile,
  schemaFileOf,
} from '@platen/domain/catalogue/messages.ts'
import { versionOf } from '@platen/domain/events/define-event.ts'
import type { Json } from '@platen/foundation/json/json.ts'
import { compile } from 'json-schema-to-typescript'
import { stringify } from 'yaml'
import manifest from '../package.json' with { type: 'json' }

/** The files that are made from the definitions of the events, by their path from the root of the repository. */
export async function eventFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [file, schema] of dataSchemas()) files.set(`docs/schemas/${file}`, `${JSON.stringify(schema, null, 2)}\n`)
  files.set(
    'docs/asyncapi.yaml',
    stringify(asyncApi(manifest.version), { lineWidth: 120, aliasDuplicateObjects: false }),
  )
  files.set('clients/events/index.js', library())
  files.set('clients/events/golden.js', goldenMessages())
  files.set('clients/events/index.d.ts', await libraryTypes())
  return files
}

/** An event as a version of Platen has recorded it, and its public form. The file is written once and never changed. */
export interface Golden {
  /** The id of the aggregate. */
  id: string
  recorded: { type: PublishedEventType; data: Json; metadata: Record<string, Json> }
  /** The data of the first event of the stream. */
  opening?: Json
  published: Json
}

export const goldenFolder = 'shared/domain/src/catalogue/golden'

/** The golden file of each event in its newest version, from its example. */
export function newestGoldenFiles(): Map<string, Golden> {
  return new Map(
    publishedTypes.map((type) => {
      const { id, data, opening } = publishedEvents[type].example
      const version = versionOf(publishedEvents[type])
      const metadata = {
        time: '2026-01-31T12:00:00.000Z',
        correlation_id: 'req_01k9x2v7vz3f4g5h6j7k8m9n0p',
        causation_id: '0b2f6a5e-7c1d-8e3f-a4b5-c6d7e8f90123',
        ...(version > 1 && { version }),
      }
      const golden = { id, recorded: { type, data, metadata }, ...(opening !== undefined && { opening }) }
      return [schemaFile(type, version), { ...golden, published: publicExample(type) }]
    }),
  )
}

const head = '// Made by `node scripts/write-event-docs.ts` from the definitions of the events.\n'

function library(): string {
  const types = Object.fromEntries(publishedTypes.map((type) => [type, cloudEventType(type)]))
  const subjects = Object.fromEntries(publishedTypes.map((type) => [type, allEventsOf(type)]))
  return `${head}
/** The \`type\` of each event. */
export const eventTypes = Object.freeze(${JSON.stringify(types, null, 2)})

/** The subject that a subscriber of each event filters by. */
export const subjects = Object.freeze(${JSON.stringify(subjects, null, 2)})

/** The event in a message. Throws for anything but a CloudEvent of version 1.0. */
export function parseEvent(message) {
  const event = JSON.parse(typeof message === 'string' ? message : new TextDecoder().decode(message))
  if (event?.specversion !== '1.0' || typeof event.type !== 'string' || typeof event.id !== 'string') {
    throw new TypeError('not a CloudEvent')
  }
  return event
}
`
}

function goldenMessages(): string {
  const schemas = 'https://pdf.example.com/schemas'
  const messages = Object.fromEntries(publishedTypes.map((type) => [type, messageExample(type, schemas)]))
  return `${head}
/** A message of each event, with the data of its golden file. */
export const golden = ${JSON.stringify(messages, null, 2)}
`
}

async function libraryTypes(): Promise<string> {
  const options = { bannerComment: '', additionalProperties: false, format: false }
  const data = await Promise.all(
    publishedTypes.map((type) => compile(dataSchemas().get(schemaFileOf(type)) ?? {}, type, options)),
  )
  const common = await compile(
    plain({ ...envelope, description: 'The attributes of every event.' }),
    'Envelope',
    options,
  )
  const events = publishedTypes.map((type) => `export type ${type}Event = Event<'${cloudEventType(type)}', ${type}>\n`)
  const names = publishedTypes.map((type) => `  readonly ${type}: '${cloudEventType(type)}'\n`)
  const subjects = publishedTypes.map((type) => `  readonly ${type}: '${allEventsOf(type)}'\n`)
  return `${head}
${common}
/** A CloudEvent (https://cloudevents.io) of this type. */
export type Event<Type extends string, Data> = Envelope & { type: Type; data: Data }

${data.join('\n')}
${events.join('')}
export type PlatenEvent =
${publishedTypes.map((type) => `  | ${type}Event\n`).join('')}
/** The \`type\` of each event. */
export declare const eventTypes: {
${names.join('')}}

/** The subject that a subscriber of each event filters by. */
export declare const subjects: {
${subjects.join('')}}

/** The event in a message. Throws for anything but a CloudEvent of version 1.0. A later version may have other types. */
export declare function parseEvent(message: string | Uint8Array): PlatenEvent
`
}

export const root = fileURLToPath(new URL('..', import.meta.url))

if (import.meta.main) {
  const files = await eventFiles()
  await mkdir(`${root}docs/schemas/released`, { recursive: true })
  for (const name of await readdir(`${root}docs/schemas`)) {
    if (name.endsWith('.json') && !files.has(`docs/schemas/${name}`)) await rm(`${root}docs/schemas/${name}`)
  }
  for (const [file, golden] of newestGoldenFiles()) {
    const path = `${root}${goldenFolder}/${file}`
    if (!existsSync(path)) await writeFile(path, `${JSON.stringify(golden, null, 2)}\n`)
  }
  for (const [path, text] of files) {
    await writeFile(root + path, text)
    // `--release` is run when a version is released: later versions are compared with the copy.
    if (process.argv.includes('--release') && path.startsWith('docs/schemas/')) {
      await writeFile(root + path.replace('schemas/', 'schemas/released/'), text)
    }
  }
}
