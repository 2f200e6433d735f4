import { createHash } from 'node:crypto'
import { asyncApi } from '@platen/domain/catalogue/asyncapi.ts'
import { type PublishedEventType, publishedEvents, publishedTypes } from '@platen/domain/catalogue/events.ts'
import { dataSchemas, messageExample } from '@platen/domain/catalogue/json-schemas.ts'
import { allEventsOf, cloudEventType, schemaFileOf } from '@platen/domain/catalogue/messages.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import manifest from '../../../../package.json' with { type: 'json' }
import { openResource } from '../http/resource.ts'

const pageStyle = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
code, pre { font: 0.875rem/1.5 ui-monospace, monospace }
pre { overflow-x: auto; padding: 1rem; border: 1px solid #8886; border-radius: 4px }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: 0.25rem 1rem 0.25rem 0; border-bottom: 1px solid #8884 }
nav ul { columns: 3 14rem; list-style: none; padding: 0 }
section { margin-top: 3rem }
`

/** A page to read about the events, without scripts and without requests for anything else. */
function eventsPage(version: string): string {
  const links = publishedTypes.map((type) => `<li><a href="#${type}">${type}</a>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Platen events</title>
<style>${pageStyle}</style>
<h1>Platen events ${escaped(version)}</h1>
<p>Events on NATS JetStream, in the stream <code>EVENTS</code>, as CloudEvents 1.0. As AsyncAPI 3.0:
<a href="/asyncapi.yaml">asyncapi.yaml</a>, <a href="/asyncapi.json">asyncapi.json</a>. <a href="/docs/api">The HTTP API</a>.</p>
<nav><ul>${links.join('')}</ul></nav>
${publishedTypes.map(section).join('')}</html>
`
}

interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
}

function section(type: PublishedEventType): string {
  const file = schemaFileOf(type)
  const { properties = {}, required = [] } = (dataSchemas().get(file) ?? {}) as Schema
  const rows = Object.entries(properties).map(([name, field]) => {
    const optional = required.includes(name) ? '' : ' (optional)'
    return `<tr><td><code>${escaped(name)}</code><td>${escaped(kindOf(field))}${optional}<td>${escaped(field.description ?? '')}`
  })
  const table = rows.length === 0 ? '' : `<table><tr><th>data<th>type<th>meaning${rows.join('')}</table>`
  return `<section id="${type}"><h2>${type}</h2>
<p>${escaped(publishedEvents[type].summary)}</p>
<p>Subject <code>${escaped(allEventsOf(type))}</code>, type <code>${escaped(cloudEventType(type))}</code>,
schema <a href="/schemas/${file}">${file}</a></p>
${table}
<pre>${escaped(JSON.stringify(messageExample(type, '/schemas'), null, 2))}</pre></section>
`
}

function kindOf({ type, const: only, enum: values }: Schema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(', ')
  if (only !== undefined) return JSON.stringify(only)
  return type === undefined ? 'one of several' : [type].flat().join(' or ')
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

const headers = { 'cache-control': 'max-age=3600', 'access-control-allow-origin': '*' }
const styleHash = createHash('sha256').update(pageStyle).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
// Few ask for them, so that they are made then.
const yaml = once(async () => {
  const { stringify } = await import('yaml')
  return stringify(asyncApi(manifest.version), { lineWidth: 120, aliasDuplicateObjects: false })
})
const page = once(() => eventsPage(manifest.version))
const hide = { schema: { hide: true } } as const

/** The description of the events: AsyncAPI, a page to read, and the JSON schemas that `dataschema` names. They need no API key. */
export const eventRoutes = openResource<{ hasPage: boolean }>('events', async (app, { hasPage }) => {
  const document = asyncApi(manifest.version)
  const schemas = dataSchemas()
  app.get('/asyncapi.json', hide, async (_request, reply) => reply.headers(headers).send(document))

  app.get('/asyncapi.yaml', hide, async (_request, reply) =>
    // The type is that of RFC 9512.
    reply
      .headers(headers)
      .type('application/yaml')
      .send(await yaml()),
  )

  if (hasPage) {
    app.get('/docs/events', hide, async (_request, reply) =>
      reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(page()),
    )
  }

  app.get('/schemas', hide, async (_request, reply) => reply.headers(headers).send({ schemas: [...schemas.keys()] }))

  app.get<{ Params: { file: string } }>('/schemas/:file', hide, async (request, reply) => {
    const { file } = request.params
    const schema = schemas.get(file) ?? fail('NOT_FOUND', `There is no schema ${readable(file)}; see /schemas`)
    return reply.headers(headers).send(schema)
  })
})

function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined
  return () => {
    made ??= make()
    return made
  }
}
