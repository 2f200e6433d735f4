import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { asyncApi } from '@platen/domain/catalogue/asyncapi.ts'
import { dataSchemas, envelope, eventTypes, plain } from '@platen/domain/catalogue/json-schemas.ts'
import { publishedEvents } from '@platen/domain/catalogue/published-events.ts'
import { cloudEventType, eventRegistry, schemaFile } from '@platen/domain/catalogue/registry.ts'
import { compile } from 'json-schema-to-typescript'
import { stringify } from 'yaml'
import manifest from '../package.json' with { type: 'json' }

/** The files that are made from the registry of events, by their path from the root of the repository. */
export async function eventFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [file, schema] of dataSchemas()) files.set(`docs/schemas/${file}`, `${JSON.stringify(schema, null, 2)}\n`)
  files.set(
    'docs/asyncapi.yaml',
    stringify(asyncApi(manifest.version), { lineWidth: 120, aliasDuplicateObjects: false }),
  )
  files.set('packages/events/index.js', library())
  files.set('packages/events/index.d.ts', await libraryTypes())
  return files
}

const head = '// Made by `node scripts/write-event-docs.ts` from the registry of events.\n'

function library(): string {
  const types = Object.fromEntries(eventTypes.map((type) => [type, cloudEventType(type)]))
  const subjects = Object.fromEntries(eventTypes.map((type) => [type, `events.${publishedEvents[type]}.>`]))
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

async function libraryTypes(): Promise<string> {
  const options = { bannerComment: '', additionalProperties: false, format: false }
  const data = await Promise.all(
    eventTypes.map((type) =>
      compile(dataSchemas().get(schemaFile(type, eventRegistry[type].version)) ?? {}, type, options),
    ),
  )
  const common = await compile(
    plain({ ...envelope, description: 'The attributes of every event.' }),
    'Envelope',
    options,
  )
  const events = eventTypes.map((type) => `export type ${type}Event = Event<'${cloudEventType(type)}', ${type}>\n`)
  const names = eventTypes.map((type) => `  readonly ${type}: '${cloudEventType(type)}'\n`)
  const subjects = eventTypes.map((type) => `  readonly ${type}: 'events.${publishedEvents[type]}.>'\n`)
  return `${head}
${common}
/** A CloudEvent (https://cloudevents.io) of this type. */
export type Event<Type extends string, Data> = Envelope & { type: Type; data: Data }

${data.join('\n')}
${events.join('')}
export type PlatenEvent =
${eventTypes.map((type) => `  | ${type}Event\n`).join('')}
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
  for (const [path, text] of files) {
    await writeFile(root + path, text)
    // To be run when a version is released: later versions are compared with it.
    if (process.argv.includes('--release') && path.startsWith('docs/schemas/')) {
      await writeFile(root + path.replace('schemas/', 'schemas/released/'), text)
    }
  }
}
