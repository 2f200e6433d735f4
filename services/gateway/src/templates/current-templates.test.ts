import { join } from 'node:path'
import { templateStream } from '@platen/domain/template/template-events.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openTemporaryStore } from '@platen/test-support/temporary-store.ts'
import t from 'tap'
import { openViews } from '../views/open-views.ts'
import { currentTemplates } from './current-templates.ts'

t.test('a template and each of its versions are read by a few events, however many it has', async (t) => {
  await using temporary = await openTemporaryStore()
  using views = openViews(join(t.testdir(), 'views.db'))
  const id = newId('tpl')
  const owner_id = 'own_default'
  const event = (type: string, data: object, time: string) => ({
    id: crypto.randomUUID(),
    type,
    data: { ...data },
    metadata: { time },
  })
  const content = (version: number) => ({ owner_id, name: `v${version}`, slug: 'x', html: 'x', sample_data: {} })
  const versions = 200
  const time = (version: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, version)).toISOString()
  const created = event('TemplateCreated', content(1), time(1))
  const changes = Array.from({ length: versions - 1 }, (_, at) =>
    event('TemplateUpdated', { ...content(at + 2), created_at: time(1), changed: ['name'] }, time(at + 2)),
  )
  await temporary.store.append(templateStream(id), [created, ...changes], 'none')

  let read = 0
  const store = {
    async *readStream(...args: Parameters<typeof temporary.store.readStream>) {
      for await (const event of temporary.store.readStream(...args)) {
        read++
        yield event
      }
    },
  }
  const published = { newestOf: async () => undefined }
  const templates = currentTemplates({ view: views.templates, store, published })
  const costs = async (reading: () => Promise<unknown>) => {
    read = 0
    await reading()
    return read
  }
  const times = { created_at: time(1) }
  t.match(await templates.find(id, owner_id), { name: 'v200', version: 200, updated_at: time(200), ...times })
  t.match(await templates.at(id, 6), { name: 'v7', version: 7, updated_at: time(7), ...times })
  t.match(await templates.at(id, 0), { name: 'v1', version: 1 })
  t.ok((await costs(() => templates.find(id, owner_id))) <= 2)
  t.ok((await costs(() => templates.at(id, 6))) <= 2)

  await t.rejects(
    templates.at(id, versions),
    { name: 'StoreUnavailable' },
    'an older version is not shown as a later one',
  )

  // A view that is being built again.
  for await (const event of temporary.store.readStream(templateStream(id), { limit: 3 })) views.apply([event])
  t.match(await templates.find(id, owner_id), { name: 'v200', version: 200, ...times })
  t.ok((await costs(() => templates.find(id, owner_id))) <= 22)
  t.match(await templates.at(id, 99), { name: 'v100', ...times })

  await temporary.store.append(templateStream(id), [event('TemplateDeleted', {}, time(201))], versions - 1)
  t.equal(await templates.find(id, owner_id), undefined)
  t.match(await templates.record(id, owner_id), { state: { status: 'deleted', version: 201 }, revision: 200 })
})
