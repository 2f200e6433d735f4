import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { events, publishedEvents } from '@platen/domain/catalogue/events.ts'
import { Job } from '@platen/domain/generation/generation-events.ts'
import { type ErrorCode, errorCatalogue } from '@platen/domain/http/error-catalogue.ts'
import { errorCures } from '@platen/domain/http/error-cures.ts'
import { builtinHelpers } from '@platen/templating/handlebars/builtin-helpers.ts'
import { catalogue } from '@platen/templating/handlebars/helpers/catalogue.ts'
import type { Helper } from '@platen/templating/handlebars/helpers/helper.ts'
import type { TSchema } from 'typebox'
import engines from '../bench/results/engines.json' with { type: 'json' }
import rendering from '../bench/results/rendering.json' with { type: 'json' }
import { commands } from '../cli/src/commands.ts'
import type { Command } from '../cli/src/frame/command.ts'
import { explainOptions, usageOf } from '../cli/src/frame/help.ts'
import openApi from '../docs/openapi.json' with { type: 'json' }
import { leftovers } from '../services/notifier/src/janitor/leftovers.ts'
import { capacityTables } from './write-capacity.ts'
import { costsTable, countsTable, curveTable, limitsTable, scalingPicture, sizesTable } from './write-scaling.ts'
import { firstTable, knownSettingsSource, settingsTable } from './write-settings.ts'

// The tables of docs/understand/benchmarks.md and benchmark-engines.md, from the files that `npm run bench` and `npm run bench:engines` write.

const shown = (value: number) => (value < 10 ? value.toFixed(2) : value < 100 ? value.toFixed(1) : value.toFixed(0))
const dateOf = ({ startedAt }: { startedAt: string }) => startedAt.slice(0, 10)

function targetTable(): string {
  const rows = rendering.targets.map(({ name, value, limit, bound, unit, met }) => {
    const [measured, wanted] = [value, limit].map((number) => `${shown(number)}${unit === '' ? '' : ` ${unit}`}`)
    return `| ${name} | ${measured} | ${bound === 'least' ? '≥' : '≤'} ${wanted} | ${met ? 'met' : '**missed**'} |\n`
  })
  return `\nResults of ${dateOf(rendering.machine)}:\n\n| target | measured | limit | |\n|---|---|---|---|\n${rows.join('')}\n`
}

interface Timing {
  p50Ms: number
  p95Ms: number
  perS: number
  atOnce: number
}

function engineTable(): string {
  const row = (name: string, operation: string, { p50Ms, p95Ms, perS, atOnce }: Timing) =>
    `| ${name} | ${operation} | ${shown(p50Ms)} | ${shown(p95Ms)} | ${shown(perS)} | ${atOnce} |\n`
  const rows = [
    ...engines.eventStores.map(({ name, append, read, catchUpPerS, notifiedP50Ms }) =>
      [
        row(name, 'append one event', append),
        row(name, 'read a stream of 20', read),
        `| ${name} | append to subscriber | ${shown(notifiedP50Ms)} | – | – | 1 |\n`,
        `| ${name} | catch up (events) | – | – | ${shown(catchUpPerS)} | 1 |\n`,
      ].join(''),
    ),
    ...engines.objectStores.map(({ name, put, get, putLarge }) =>
      [row(name, 'put 50 KB', put), row(name, 'get 50 KB', get), row(name, 'put 5 MB', putLarge)].join(''),
    ),
    ...engines.deployments.map(({ name, sync }) => row(name, 'label, HTTP sync', sync)),
  ]
  const header = '| engine | operation | p50 ms | p95 ms | a second | at once |\n|---|---|---|---|---|---|\n'
  return `\nResults of ${dateOf(engines.machine)}:\n\n${header}${rows.join('')}\n`
}

/** Fields that the page explains together. */
const groups = { job: Object.keys(Job), file: ['size', 'sha256', 'object_key', 'media_type', 'steps'] }

/** A part of a page that is generated from code, between `<!-- name -->` and `<!-- end of name -->`. */
export interface Section {
  page: string
  name: string
  text: string
}

export const sections: readonly Section[] = [
  { page: pathOf('reference/helpers.md'), name: 'helpers', text: listHelpers() },
  { page: pathOf('reference/errors.md'), name: 'errors', text: errorList() },
  { page: pathOf('reference/api.md'), name: 'endpoints', text: endpointTable() },
  { page: pathOf('reference/events.md'), name: 'subjects', text: eventTable() },
  { page: pathOf('understand/streams.md'), name: 'streams', text: streamTable() },
  { page: pathOf('understand/leftovers.md'), name: 'leftovers', text: leftoverTable() },
  { page: pathOf('reference/settings.md'), name: 'settings', text: settingsTable() },
  { page: pathOf('reference/settings.md'), name: 'first settings', text: firstTable() },
  { page: pathOf('reference/capacity.md'), name: 'capacity', text: capacityTables() },
  { page: pathOf('scaling.md'), name: 'sizes', text: sizesTable() },
  { page: pathOf('scaling.md'), name: 'limits', text: limitsTable() },
  { page: pathOf('understand/scaling.md'), name: 'curve', text: curveTable() },
  { page: pathOf('understand/scaling-costs.md'), name: 'costs', text: costsTable() },
  { page: pathOf('understand/scaling-costs.md'), name: 'counts', text: countsTable() },
  { page: pathOf('understand/benchmarks.md'), name: 'targets', text: targetTable() },
  { page: pathOf('understand/benchmark-engines.md'), name: 'engines', text: engineTable() },
  { page: pathOf('reference/commands.md'), name: 'commands', text: commands.map(describeCommand).join('') },
]

/** Files that are generated as a whole. */
export const sources: readonly { path: string; text: string }[] = [
  { path: pathOf('../shared/foundation/src/settings/known-settings.ts'), text: knownSettingsSource() },
  { path: pathOf('pictures/scaling.svg'), text: scalingPicture() },
]

function pathOf(page: string): string {
  return fileURLToPath(new URL(`../docs/${page}`, import.meta.url))
}

/** The page's content with the section as it should be. */
export function withSection(content: string, { page, name, text }: Section): string {
  const [start, end] = [`<!-- ${name} -->\n`, `<!-- end of ${name} -->`]
  const [from, to] = [content.indexOf(start), content.indexOf(end)]
  if (from === -1 || to === -1) throw new Error(`${page} has no section ${name}`)
  return content.slice(0, from + start.length) + text + content.slice(to)
}

function listHelpers(): string {
  const families = Object.entries({ 'Built in': builtinHelpers, ...catalogue }).map(
    ([name, family]) => `\n### ${name}\n\n${listFamily(family)}`,
  )
  return `${families.join('')}\n`
}

function listFamily(family: Record<string, Pick<Helper, 'signature' | 'does' | 'examples'>>): string {
  return Object.values(family)
    .map(({ signature, does, examples }) => {
      const shown = examples.map(({ template, data, gives }) => {
        const filled = data === undefined ? '' : ` with \`${JSON.stringify(data)}\``
        return `  - \`${template}\`${filled} → \`${gives.replaceAll('\n', '\\n')}\`\n`
      })
      return `${wrapped(`- **\`${signature}\`** ${does}`)}\n${shown.join('')}`
    })
    .join('')
}

/** Breaks a list item into lines of at most 160 characters. A paragraph has no indent. */
function wrapped(item: string, indent = '  '): string {
  return item.replace(/(.{1,158})( |$)/g, `$1\n${indent}`).trimEnd()
}

/** Its help without `--json`, which every command has, and without notes. */
function describeCommand({ options: { json: _, ...options }, ...command }: Command): string {
  const usage = wrapped(`- **\`${usageOf({ ...command, options })}\`** ${command.summary}`)
  const explained = explainOptions(options).map(([written, about]) => wrapped(`  - \`${written}\` ${about}`))
  return [usage, ...explained].map((line) => `${line}\n`).join('')
}

function errorList(): string {
  const rows = Object.entries(errorCatalogue).map(
    ([code, { status, description }]) =>
      `\n### ${code}\n\n${wrapped(`HTTP ${status}. ${description}`, '')}\n\n${wrapped(`**What to do:** ${errorCures[code as ErrorCode]}`, '')}\n`,
  )
  return `${rows.join('')}\n`
}

/** The endpoints of docs/openapi.json, which is written before. */
function endpointTable(): string {
  const methods = ['get', 'post', 'put', 'patch', 'delete']
  const rows = Object.entries<Record<string, { summary: string; description?: string }>>(openApi.paths).flatMap(
    ([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => methods.includes(method))
        .map(([method, { summary, description = '' }]) => {
          const scope = /Needs the scopes? (`[\w:]+`(?: and `[\w:]+`)*)/.exec(description)?.[1] ?? ''
          return `| \`${method.toUpperCase()} ${path}\` | ${summary} | ${scope} |\n`
        }),
  )
  return `| request | does | scope |\n|---|---|---|\n${rows.join('')}`
}

/** The events of each kind of stream. */
function streamTable(): string {
  const rows = Object.entries(Object.groupBy(Object.values(events), ({ aggregate }) => aggregate.category)).map(
    ([category, defined = []]) => {
      const names = defined.map(({ type }) => `\`${type}\``).join(', ')
      const [id = ''] = defined.map(({ example }) => example.id)
      const shown = category === 'slug' ? 'own_….<slug>' : `${id.slice(0, 3)}_…`
      return `| \`${category}-${shown}\` | ${names} |\n`
    },
  )
  return `| stream | events |\n|---|---|\n${rows.join('')}`
}

function leftoverTable(): string {
  const rows = Object.entries(leftovers).map(
    ([kind, { what, leftBy, since, found, removed }]) =>
      `| \`${kind}\` | ${what} | ${leftBy} | ${since} | ${found} | ${removed} |\n`,
  )
  return `| name | what it is | left by | from | found in | removed |\n|---|---|---|---|---|---|\n${rows.join('')}`
}

function eventTable(): string {
  const rows = Object.values(publishedEvents).map(({ type, published, example }) => {
    const subject = `events.${published.subject}.<${example.id.slice(0, 3)}_…>`
    return `| \`${subject}\` | \`${type}\` | ${fieldsOf(published.data)} |\n`
  })
  return `| subject | type | \`data\` |\n|---|---|---|\n${rows.join('')}`
}

/** `*job*, *file*` and the other fields. */
function fieldsOf(schema: TSchema): string {
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] }
  const names = Object.keys(properties)
  const whole = Object.entries(groups).filter(([, fields]) => fields.every((field) => names.includes(field)))
  const grouped = whole.flatMap(([, fields]) => fields)
  const own = names.filter((name) => !grouped.includes(name))
  const fields = own.map((name) => `\`${name}${required.includes(name) ? '' : '?'}\``)
  return [...whole.map(([group]) => `*${group}*`), ...fields].join(', ') || '`{}`'
}

if (import.meta.main) {
  for (const section of sections) {
    await writeFile(section.page, withSection(await readFile(section.page, 'utf8'), section))
  }
  for (const { path, text } of sources) await writeFile(path, text)
}
