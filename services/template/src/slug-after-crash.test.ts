import { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import { shownTemplate, shownTemplateDecider } from '@platen/domain/template/shown-template.ts'
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

// A template is put by its slug while the command of the template that had the slug was not completed: its process has stopped.

const testServices = await startBackingServices()
const { store, log } = { store: testServices.services.store, log: testServices.services.log }
const engine = openTemplateEngine({ workers: 1, log })
const schemas = openSchemaChecker()
t.teardown(async () => {
  await engine[Symbol.asyncDispose]()
  await schemas[Symbol.asyncDispose]()
  await testServices[Symbol.asyncDispose]()
})

type Command = Envelope<TemplateCommand>
const command = (type: string, data: object) => ({ type, data, metadata: operatorMetadata() }) as Command

class Killed extends Error {}

/** Refused: its error code. */
async function execute(sent: Command, used: EventStore = store) {
  const dependencies = {
    store: used,
    engine,
    schemas,
    now: Date.now,
    resolvePartials: openPartialResolver(used, engine),
    libraries: new AssetLibraries(used),
  }
  try {
    return await handleTemplateCommand(dependencies, sent)
  } catch (err) {
    if (err instanceof DomainError) return err.code
    if (err instanceof Killed) return 'killed'
    throw err
  }
}

/** The store of a process that is killed instead of its nth call, or after that. */
function killed(nth: number): EventStore {
  let calls = 0
  const step = () => {
    if (++calls >= nth) throw new Killed()
  }
  return storeWith(store, {
    async append(...args) {
      step()
      return store.append(...args)
    },
    async *readStream(...args) {
      step()
      yield* store.readStream(...args)
    },
  })
}

const owner_id = 'own_default'
const content = { owner_id, name: 'x', html: 'x', sample_data: {} }
const create = (template_id: string, slug: string) => command('CreateTemplate', { template_id, slug, ...content })
const isActive = async (id: string) =>
  shownTemplate(id, (await load(store, shownTemplateDecider, templateStream(id))).state) !== undefined

let slugs = 0
type Case = { before?: (id: string, slug: string) => Promise<unknown>; killed: (id: string, slug: string) => Command }
const cases: Record<string, Case> = {
  'a deletion': {
    before: (id, slug) => execute(create(id, slug)),
    killed: (id) => command('DeleteTemplate', { template_id: id, owner_id }),
  },
  'a creation': { killed: create },
  'a restore': {
    before: async (id, slug) => [
      await execute(create(id, slug)),
      await execute(command('DeleteTemplate', { template_id: id, owner_id })),
    ],
    killed: (id) => command('RestoreTemplate', { template_id: id, owner_id, version: 1 }),
  },
}

for (const [what, { before, killed: killedAt }] of Object.entries(cases)) {
  t.test(`whenever ${what} stopped, the slug is taken only while its template is there`, async (t) => {
    let answer: unknown = 'killed'
    let step = 1
    for (; answer === 'killed'; step++) {
      const slug = `crash-${slugs++}`
      const [id, other] = [newId('tpl'), newId('tpl')]
      await before?.(id, slug)
      const stopped = killedAt(id, slug)
      answer = await execute(stopped, killed(step))
      const active = await isActive(id)
      const put = await execute(create(other, slug))
      const told = `stopped at step ${step}, ${active ? 'active' : 'not active'}: ${JSON.stringify(put)}`
      if (active) t.equal(put, 'CONFLICT', told)
      // Its process may be suspended only, and go on.
      else if (what !== 'a deletion') t.ok(put === 'SERVICE_UNAVAILABLE' || typeof put === 'object', told)
      else t.match(put, { template: { slug } }, told)

      await execute(stopped)
      const both = (await isActive(id)) && (await isActive(other))
      t.notOk(both, `not both have the slug when the command is delivered again, ${told}`)
    }
    t.ok(step > 3, `${step} steps`)
  })
}
