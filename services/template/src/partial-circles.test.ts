import { randomUUID } from 'node:crypto'
import type { PartialCommand } from '@platen/domain/partial/partial.ts'
import { partialStream } from '@platen/domain/partial/partial-events.ts'
import { partialId } from '@platen/domain/partial/read-partial.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { handlePartialCommand } from './handlers/handle-partial-command.ts'
import { openPartialResolver } from './handlers/resolve-partials.ts'

const temporary = await openTemporaryStore()
const { store } = temporary
const engine = openTemplateEngine({ workers: 1 })
t.teardown(async () => {
  await engine.close()
  await temporary[Symbol.asyncDispose]()
})

const owner_id = newId('own')

function save(type: 'CreatePartial' | 'UpdatePartial', name: string, html: string, through: EventStore = store) {
  const data = { partial_id: partialId(owner_id, name), owner_id, html }
  const command = type === 'CreatePartial' ? { type, data: { ...data, name } } : { type, data }
  const metadata = { id: randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
  const resolvePartials = openPartialResolver(through, engine)
  const dependencies = { store: through, engine, resolvePartials, now: Date.now }
  return handlePartialCommand(dependencies, { ...(command as PartialCommand), metadata })
}

/** Calls `before` once, when an event is about to be appended to the stream. */
function interrupted(stream: string, before: () => Promise<unknown>): EventStore {
  let called = false
  return storeWith(store, {
    async append(...appended) {
      if (appended[0] === stream && !called) {
        called = true
        await before()
      }
      return store.append(...appended)
    },
  })
}

const optional = (name: string) => `{{#> ${name}}}{{/${name}}}`

t.test(
  'a circle of two partials that were saved at one moment is refused where it is used, until one is changed',
  async (t) => {
    const through = interrupted(partialStream(partialId(owner_id, 'a')), () =>
      save('CreatePartial', 'b', optional('a')),
    )
    await save('CreatePartial', 'a', optional('b'), through)
    const circle = {
      code: 'TEMPLATE_RENDER_ERROR',
      message: 'partial "b", line 1, column 1: the partial "a" calls itself: a → b → a',
    }
    const html = '{{> a}}'
    const use = async () => {
      const partials = await engine.check(html)
      return openPartialResolver(
        store,
        engine,
      )({ ownerId: owner_id, caller: { owner: owner_id, key: 'key_1' }, sources: [{ name: 'html', html, partials }] })
    }
    await t.rejects(use(), circle)
    await t.rejects(save('CreatePartial', 'c', html), circle)
    await t.rejects(save('UpdatePartial', 'a', `changed${optional('b')}`), { code: 'TEMPLATE_RENDER_ERROR' })
    await save('UpdatePartial', 'b', 'leaf')
    t.strictSame(Object.keys(await use()), ['a', 'b'])
  },
)
