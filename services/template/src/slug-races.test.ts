import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { shownTemplate, shownTemplateDecider } from '@platen/domain/template/shown-template.ts'
import { slugStream } from '@platen/domain/template/slug-events.ts'
import type { TemplateCommand } from '@platen/domain/template/template.ts'
import { templateStream } from '@platen/domain/template/template-events.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { load, operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DomainError } from '@platen/foundation/errors/errors.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openSchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import t from 'tap'
import { handleTemplateCommand } from './handlers/handle-template-command.ts'
import { openPartialResolver } from './handlers/resolve-partials.ts'

const testServices = await startBackingServices()
const { store, log } = { store: testServices.services.store, log: testServices.services.log }
const engine = openTemplateEngine({ workers: 2, log })
const schemas = openSchemaChecker()
t.teardown(async () => {
  await engine[Symbol.asyncDispose]()
  await schemas[Symbol.asyncDispose]()
  await testServices[Symbol.asyncDispose]()
})

type Command = Envelope<TemplateCommand>
const command = (type: string, data: object) => ({ type, data, metadata: operatorMetadata() }) as Command

/** Executes a command as a process with this store and clock would. Refused: its error code. */
async function execute(sent: Command, process: { store?: EventStore; now?: () => number } = {}) {
  const dependencies = {
    store,
    engine,
    schemas,
    now: Date.now,
    resolvePartials: openPartialResolver(store, engine),
    libraries: new AssetLibraries(store),
    ...process,
  }
  try {
    return await handleTemplateCommand(dependencies, sent)
  } catch (err) {
    if (err instanceof DomainError) return err.code
    throw err
  }
}

/** A store that waits for `stall` before its nth call. */
function stallingStore(nth: number, stall: () => Promise<void>): EventStore {
  let calls = 0
  const before = async () => {
    if (++calls === nth) await stall()
  }
  return storeWith(store, {
    async append(...args) {
      await before()
      return store.append(...args)
    },
    async *readStream(...args) {
      await before()
      yield* store.readStream(...args)
    },
  })
}

const owner_id = 'own_default'
const laterMs = 3_600_000
const later = () => Date.now() + laterMs
const shown = async (id: string) =>
  shownTemplate(id, (await load(store, shownTemplateDecider, templateStream(id))).state)

interface Race {
  /** Before the process that is suspended. */
  before?: (race: { id: string; name: string }) => Promise<unknown>
  suspended: (race: { id: string; name: string }) => Command
  /** What other processes do while the process is suspended. */
  meanwhile: (race: { id: string; name: string; suspended: Command }) => Promise<unknown>
}

const create = (id: string, name: string) =>
  command('CreateTemplate', { template_id: id, owner_id, name, html: 'x', sample_data: {} })
const change = (id: string) => command('UpdateTemplate', { template_id: id, owner_id, changes: { html: 'y' } })
const remove = (id: string) => command('DeleteTemplate', { template_id: id, owner_id })
const restore = (id: string, fields: object = {}) =>
  command('RestoreTemplate', { template_id: id, owner_id, version: 1, ...fields })
const late = (sent: Command): Command => {
  return { ...sent, metadata: { ...sent.metadata, deadline: new Date(Date.now() + laterMs / 2).toISOString() } }
}

const races: Record<string, Race> = {
  'a delete is suspended while its template is restored': {
    before: async ({ id, name }) => execute(create(id, name)),
    suspended: ({ id }) => remove(id),
    meanwhile: async ({ id }) => execute(restore(id)),
  },
  'a delete is suspended while its template is restored and deleted again': {
    before: async ({ id, name }) => execute(create(id, name)),
    suspended: ({ id }) => remove(id),
    meanwhile: async ({ id }) => [await execute(restore(id)), await execute(remove(id))],
  },
  'a create is suspended, and refused by another process after its deadline': {
    suspended: ({ id, name }) => late(create(id, name)),
    meanwhile: async ({ suspended }) => execute(suspended, { now: later }),
  },
  'a restore is suspended, and refused by another process after its deadline': {
    before: async ({ id, name }) => [await execute(create(id, name)), await execute(remove(id))],
    suspended: ({ id }) => late(restore(id)),
    meanwhile: async ({ suspended }) => execute(suspended, { now: later }),
  },
  'a restore is suspended while another one is refused': {
    before: async ({ id, name }) => [await execute(create(id, name)), await execute(remove(id))],
    suspended: ({ id }) => restore(id),
    meanwhile: async ({ id }) => execute(restore(id, { if_version: 1 })),
  },
  'a restore of an active template is suspended while that is deleted': {
    before: async ({ id, name }) => [await execute(create(id, name)), await execute(change(id))],
    suspended: ({ id }) => restore(id),
    meanwhile: async ({ id }) => execute(remove(id)),
  },
}

let names = 0
for (const [what, race] of Object.entries(races)) {
  for (const [when, now] of Object.entries({ 'at once': Date.now, 'after an hour': later })) {
    t.test(
      `${what}, and ${when} another template gets the name: each active template has its slug alone`,
      async (t) => {
        let wasSuspended = true
        let steps = 0
        for (; wasSuspended; steps++) {
          const name = `Race ${names++}`
          const [id, other] = [newId('tpl'), newId('tpl')]
          await race.before?.({ id, name })
          const suspended = race.suspended({ id, name })
          wasSuspended = false
          let seen: unknown
          const stalling = stallingStore(steps + 1, async () => {
            wasSuspended = true
            seen = await race.meanwhile({ id, name, suspended })
            t.match(await execute(create(other, name), { now }), { template: { version: 1 } })
          })
          const answer = await execute(suspended, { store: stalling })
          const active = [await shown(id), await shown(other)].filter((template) => template !== undefined)
          const slugs = active.map(({ slug }) => slug)
          const told = `suspended after ${steps} steps: ${JSON.stringify({ answer, seen, slugs })}`
          t.equal(new Set(slugs).size, slugs.length, told)
          for (const { id, slug } of active) t.equal(await holderOf(slug), id, `its template has ${slug}, ${told}`)
          if (typeof answer === 'object' && answer.template) t.not(await lastOf(id, suspended), 'TemplateDeleted', told)
          t.strictSame(await execute(suspended), answer, `the same answer if it is delivered again, ${told}`)
        }
        t.ok(steps > 3, `${steps} steps`)
      },
    )
  }
}

async function holderOf(slug: string): Promise<string | undefined> {
  let holder: string | undefined
  for await (const { type, data } of store.readStream(slugStream(owner_id, slug))) {
    holder = type === 'SlugReserved' ? (data as { template_id: string }).template_id : undefined
  }
  return holder
}

/** The type of the last event that the command has recorded. */
async function lastOf(id: string, { metadata }: Command): Promise<string | undefined> {
  let last: string | undefined
  for await (const event of store.readStream(templateStream(id))) {
    if (event.metadata.causation_id === metadata.id) last = event.type
  }
  return last
}
