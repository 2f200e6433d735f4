import { type PublishedEventType, publishedEvents, publishedTypes } from '@platen/domain/catalogue/events.ts'
import { dataSchemas, messageExample } from '@platen/domain/catalogue/json-schemas.ts'
import { allEventsOf, cloudEventType, schemaFileOf } from '@platen/domain/catalogue/messages.ts'

export const pageStyle = `
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
export function eventsPage(version: string): string {
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
