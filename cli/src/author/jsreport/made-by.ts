import { createHash } from 'node:crypto'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'

// What an import has made says so in its first line, which Handlebars does not print. A later import updates it unless it
// was edited in between.

const line = /^\{\{!-- jsreport (\S+) ([0-9a-f]{16}) --\}\}\n/

/** Fields of a template or partial, with its source in `html`. */
export type Authored = Readonly<Record<string, unknown>> & { html: string }

/** The source with the line. `shortid`: the id in jsreport. */
export function signed(shortid: string, authored: Authored): string {
  return `{{!-- jsreport ${shortid.replaceAll(/[^\w-]/g, '_')} ${digest(authored)} --}}\n${authored.html}`
}

/** Whether an import has made it of the entity with this id, and nobody has edited it. */
export function isUnedited(shortid: string, authored: Authored): boolean {
  const [whole = '', id, recorded] = line.exec(authored.html) ?? []
  const html = authored.html.slice(whole.length)
  return id === shortid.replaceAll(/[^\w-]/g, '_') && recorded === digest({ ...authored, html })
}

const digest = (authored: Authored) =>
  createHash('sha256')
    .update(stringifyExact(sorted(authored)))
    .digest('hex')
    .slice(0, 16)

/** With the fields of objects in alphabetical order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null || 'rawJSON' in value) return value
  const entries = Object.entries(value).map(([name, item]) => [name, sorted(item)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
