import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { partialId } from '@platen/domain/partial/read-partial.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import type { EventStore } from '@platen/event-store/event-store.ts'
import t, { type Test } from 'tap'
import { openPartialSources } from './partial-sources.ts'
import { openTemplateSource } from './template-source.ts'

/** More than a cache holds together. */
const count = 80
const html = 'x'.repeat(512 * 1024)

async function filledStore(t: Test) {
  const store = await openEventStore(`sqlite:${join(t.testdir(), 'events.db')}`)
  t.teardown(() => store.close())
  let reads = 0
  const counted: EventStore = Object.assign(Object.create(store), {
    readStream: (...args: Parameters<EventStore['readStream']>) => {
      reads++
      return store.readStream(...args)
    },
  })
  const append = (stream: string, type: string, data: object) =>
    store.append(stream, [{ id: randomUUID(), type, data: { ...data } }], 'none')
  const readsOf = async (read: () => Promise<unknown>) => {
    reads = 0
    await read()
    return reads
  }
  return { store: counted, append, readsOf }
}

t.test('large partials and templates do not fill the memory, and those used last are kept', async (t) => {
  const { store, append, readsOf } = await filledStore(t)
  const partials = openPartialSources(store)
  const template = openTemplateSource(store)
  const partialOf = (number: number) => partialId('own_a', `p${number}`)
  const ofPartial = (number: number) => readsOf(() => partials({ p: { id: partialOf(number), version: 1 } }))
  const ofTemplate = (number: number) => readsOf(() => template({ id: `tpl_${number}`, version: 1 }))
  for (let number = 0; number < count; number++) {
    await append(`partial-${partialOf(number)}`, 'PartialCreated', { owner_id: 'own_a', name: `p${number}`, html })
    await append(`template-tpl_${number}`, 'TemplateCreated', {
      owner_id: 'own_a',
      name: 'x',
      slug: `x${number}`,
      html,
      sample_data: {},
    })
    await ofPartial(number)
    await ofTemplate(number)
  }
  for (const readsAgain of [ofPartial, ofTemplate]) {
    t.equal(await readsAgain(count - 1), 0, 'the last one is in the cache')
    t.ok((await readsAgain(0)) > 0, 'the first one is not')
  }
})
