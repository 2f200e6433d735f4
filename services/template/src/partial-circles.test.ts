import { randomUUID } from 'node:crypto'
import { DomainError } from '@platen/domain/http/errors.ts'
import type { PartialCommand } from '@platen/domain/partial/partial.ts'
import { partialSavesStream, savesUnfinishedMs } from '@platen/domain/partial/partial-saves.ts'
import { partialId, partialStream, readPartial } from '@platen/domain/partial/read-partial.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openTemplateEngine } from '@platen/templating/handlebars/engine.ts'
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

interface Save {
  store?: EventStore
  now?: () => number
}

/** Each test has partials of its own. */
function partialsOf() {
  const owner_id = newId('own')
  const command = (name: string, html: string): Envelope<PartialCommand> => {
    const data = { partial_id: partialId(owner_id, name), owner_id, name, html }
    const metadata = { id: randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
    return { type: 'CreatePartial', data, metadata }
  }
  return {
    owner_id,
    stream: (name: string) => partialStream(partialId(owner_id, name)),
    read: async (name: string) => (await readPartial(store, partialId(owner_id, name)))?.html,
    save: (name: string, html: string, { store: through = store, now = Date.now }: Save = {}) =>
      handlePartialCommand(
        { store: through, engine, resolvePartials: openPartialResolver(through, engine), now },
        command(name, html),
      ),
  }
}

/** Calls `before` once, when an event is about to be appended to the stream. */
function interrupted(stream: string, before: () => Promise<void>): EventStore {
  let called = false
  return new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      if (name !== 'append') return value.bind(target)
      return async (...args: Parameters<EventStore['append']>) => {
        if (args[0] === stream && !called) {
          called = true
          await before()
        }
        return target.append(...args)
      }
    },
  })
}

const optional = (name: string) => `{{#> ${name}}}{{/${name}}}`

t.test('of two partials that are saved at one moment and call each other, the second is refused', async (t) => {
  const { save, stream, read } = partialsOf()
  const second: unknown[] = []
  const through = interrupted(stream('a'), async () => {
    second.push(await save('b', optional('a')).catch((err) => err))
  })
  t.equal((await save('a', optional('b'), { store: through })).revision, 0)
  t.match(second, [
    { code: 'SERVICE_UNAVAILABLE', message: /^the partial "a", which calls "b", is being saved at the moment; retry/ },
  ])
  t.equal(await read('b'), undefined)
  await t.rejects(save('b', optional('a')), { code: 'TEMPLATE_RENDER_ERROR', message: /a → b → a|b → a → b/ })
})

t.test('a save that waits for another one is answered by what that one has recorded', async (t) => {
  const { save, stream, read } = partialsOf()
  let second: Promise<unknown> | undefined
  const started = Promise.withResolvers<void>()
  const watching = new Proxy(store, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        // It looks whether the save of `a` is finished.
        if (name === 'readStream' && args[0] === stream('a')) looks++
        if (looks > 4) started.resolve()
        return value.apply(target, args)
      }
    },
  })
  let looks = 0
  const through = interrupted(stream('a'), async () => {
    second = save('b', optional('a'), { store: watching }).catch((err) => err)
    // If it does not wait, it ends.
    await Promise.race([started.promise, second])
  })
  await save('a', optional('b'), { store: through })
  t.match(await second, { code: 'TEMPLATE_RENDER_ERROR' })
  t.equal(await read('b'), undefined)
})

t.test('circles through a third partial, saved before or at the same moment, are refused too', async (t) => {
  const { save, stream } = partialsOf()
  await save('b', optional('c'))
  const refused: unknown[] = []
  const through = interrupted(stream('a'), async () => {
    refused.push(await save('c', `{{> b}}${optional('a')}`).catch((err) => err.code))
    refused.push(await save('d', optional('a')).then(() => 'saved'))
    refused.push(await save('c', `${optional('d')}`).catch((err) => err.code))
  })
  await save('a', '{{> b}}', { store: through })
  t.same(refused, ['TEMPLATE_RENDER_ERROR', 'saved', 'SERVICE_UNAVAILABLE'])
})

t.test(
  'a save whose process has stopped refuses only what would close a circle with it, and for minutes only',
  async (t) => {
    const { owner_id, save } = partialsOf()
    const begun = { type: 'PartialSaveBegun', data: { name: 'a', calls: ['b'] } }
    const metadata = { causation_id: randomUUID() }
    await store.append(partialSavesStream(owner_id), [{ ...begun, id: randomUUID(), metadata }], 'none')
    await save('c', optional('a'))
    await t.rejects(save('b', optional('c')), { code: 'SERVICE_UNAVAILABLE' })
    await save('b', optional('d'))
    const { owner_id: other, save: later } = partialsOf()
    const abandoned = { ...begun }
    await store.append(partialSavesStream(other), [{ ...abandoned, id: randomUUID(), metadata }], 'none')
    await later('b', optional('a'), { now: () => Date.now() + savesUnfinishedMs + 1 })
  },
)

t.test('a change that removed a call does not count against later saves', async (t) => {
  const { owner_id, save } = partialsOf()
  await save('a', optional('b'))
  const html = 'leaf'
  const data = { partial_id: partialId(owner_id, 'a'), owner_id, html }
  const metadata = { id: randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1' }
  const resolvePartials = openPartialResolver(store, engine)
  const dependencies = { store, engine, resolvePartials, now: Date.now }
  await handlePartialCommand(dependencies, { type: 'UpdatePartial', data, metadata })
  t.equal((await save('b', optional('a'))).revision, 0)
})

t.test('however many partials are saved at once, what is stored has no circle', async (t) => {
  for (let round = 0; round < 20; round++) {
    const { save, read } = partialsOf()
    const next: Record<string, string> = { a: 'b', b: 'c', c: 'd', d: 'a' }
    const saves = Object.entries(next).map(([name, called]) => {
      return save(name, optional(called)).catch((err) => {
        if (!(err instanceof DomainError)) throw err
      })
    })
    await Promise.all(saves)
    const stored = await Promise.all(Object.keys(next).map(read))
    t.ok(stored.includes(undefined), 'one is missing')
    t.ok(
      stored.some((html) => html !== undefined),
      'some are saved',
    )
  }
})
