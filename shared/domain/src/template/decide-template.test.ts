import { defined } from '@platen/foundation/json/defined.ts'
import { given } from '@platen/test-support/given.ts'
import t, { type Test } from 'tap'
import { type RestoreContent, type TemplateDecision, templateDecider } from './decide-template.ts'
import type { TemplateEvent } from './template-events.ts'

const id = 'tpl_00000000000000000000000000'
const owner_id = 'own_default'
const fields = { owner_id, name: 'Invoice', slug: 'invoice', html: '<p>{{total}}</p>', sample_data: { total: 1 } }
const create: TemplateDecision = { type: 'CreateTemplate', data: { template_id: id, ...fields } }
const created: TemplateEvent = { type: 'TemplateCreated', data: fields }
const created_at = '2026-01-31T12:00:00.000Z'
/** The content after the changes, of which null removes a field. */
const updated = (changes: object, before: object = fields, more: object = {}): TemplateEvent => {
  const content = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  const data = { ...Object.fromEntries(content), created_at, changed: Object.keys(changes), ...more }
  return { type: 'TemplateUpdated', data } as TemplateEvent
}
const deleted: TemplateEvent = { type: 'TemplateDeleted', data: {} }
const update = (changes: object, if_version?: number): TemplateDecision => ({
  type: 'UpdateTemplate',
  data: { template_id: id, owner_id, changes, ...defined({ if_version }) },
})
const remove = (if_version?: number): TemplateDecision => ({
  type: 'DeleteTemplate',
  data: { template_id: id, owner_id, ...defined({ if_version }) },
})

const template = (t: Test, ...events: TemplateEvent[]) => given(t, templateDecider, events)

t.test('a repeated create has no effect', async (t) => {
  template(t).when(create).then([created])
  template(t, created).when(create).then([])
})

t.test('an update records the content, and which fields have changed', async (t) => {
  template(t, created)
    .when(update({ name: 'Bill', html: fields.html }))
    .then([updated({ name: 'Bill' })])
  template(t, created)
    .when(update({ sample_data: { total: 2 } }))
    .then([updated({ sample_data: { total: 2 } })])
  template(t, created)
    .when(update({ ...fields, sample_data: { total: 1 } }))
    .then([])
})

t.test('every field of the content is recorded, and null removes an optional one', async (t) => {
  const more = {
    options: { format: 'A5' as const, margin: { top: 30 } },
    header_html: '<p>{{total}}</p>',
    footer_html: '',
    data_schema: { required: ['total'] },
    samples: { large: { total: 9 } },
    follow_partials: false,
  }
  const partials = { head: { id: 'prt_1', version: 1 } }
  const data = { ...fields, ...more, partials }
  const whole: TemplateEvent = { type: 'TemplateCreated', data }
  const createWhole: TemplateDecision = { type: 'CreateTemplate', data: { template_id: id, ...data } }
  template(t).when(createWhole).then([whole])
  template(t, whole)
    .when(update({ ...more, options: { margin: { top: 30 }, format: 'A5' }, partials }))
    .then([])
  template(t, whole)
    .when(update({ options: null, samples: {}, partials: { head: { id: 'prt_1', version: 2 } } }))
    .then([updated({ options: null, samples: {}, partials: { head: { id: 'prt_1', version: 2 } } }, data)])
  const removed = updated({ options: null, header_html: null }, data)
  template(t, whole, removed)
    .when(update({ options: null, header_html: null }))
    .then([])
  const { evolve, initialState } = templateDecider
  const at = (revision: number) => ({ revision, time: created_at })
  const state = [whole, removed].reduce((state, event, revision) => evolve(state, event, at(revision)), initialState)
  const { options: _, header_html: __, ...rest } = more
  const { owner_id: ownerId, ...known } = fields
  t.strictSame(state, { status: 'active', ownerId, ...known, ...rest, partials, version: 2, createdAt: created_at })
})

t.test('a version whose fields together are too large is refused', async (t) => {
  const text = (bytes: number) => 'x'.repeat(bytes)
  const large: TemplateEvent = { type: 'TemplateCreated', data: { ...fields, html: text(500_000) } }
  template(t, large)
    .when(update({ samples: { a: { b: text(350_000) } } }))
    .then([updated({ samples: { a: { b: text(350_000) } } }, large.data)])
  template(t, large)
    .when(update({ samples: { a: { b: text(400_000) } } }))
    .refused('PAYLOAD_TOO_LARGE')
})

t.test('a command for another version is refused', async (t) => {
  template(t, created)
    .when(update({ name: 'Bill' }, 1))
    .then([updated({ name: 'Bill' })])
  template(t, created, updated({ name: 'Bill' }))
    .when(update({ name: 'Note' }, 1))
    .refused('PRECONDITION_FAILED')
  template(t, created, updated({ name: 'Bill' }))
    .when(remove(1))
    .refused('PRECONDITION_FAILED')
  template(t, created, updated({ name: 'Bill' }))
    .when(remove(2))
    .then([deleted])
})

t.test(
  'a restored version differs from the newest in all that differs, and a deleted template is created again',
  async (t) => {
    const { owner_id: _, slug: __, ...content } = fields
    const partials = { head: { id: 'prt_1', version: 1 } }
    const second = updated({ html: '2', header_html: 'h', partials })
    const restore = (if_version?: number): TemplateDecision => ({
      type: 'RestoreTemplate',
      data: { template_id: id, owner_id, version: 1, content, ...defined({ if_version }) },
    })
    const changes = { html: fields.html, header_html: null, partials: null }
    const back = updated(changes, second.data, { restored_from: 1 })
    template(t, created, second).when(restore()).then([back])
    template(t, created, second).when(restore(2)).then([back])
    template(t, created, second).when(restore(1)).refused('PRECONDITION_FAILED')
    template(t, created, second, back).when(restore()).then([])
    const restored: TemplateEvent = { type: 'TemplateRestored', data: { ...fields, created_at, restored_from: 1 } }
    template(t, created, deleted).when(restore(2)).then([restored])
    template(t, created, deleted).when(restore(1)).refused('PRECONDITION_FAILED')
    template(t).when(restore()).refused('TEMPLATE_NOT_FOUND')
    const other = { ...restore().data, owner_id: 'own_00000000000000000000000000' } as RestoreContent['data']
    template(t, created, deleted).when({ type: 'RestoreTemplate', data: other }).refused('TEMPLATE_NOT_FOUND')
    template(t, created, deleted, restored)
      .when(update({ name: 'Bill' }, 3))
      .then([updated({ name: 'Bill' })])
  },
)

t.test("another owner's template does not exist", async (t) => {
  const owner_id = 'own_00000000000000000000000000'
  const theirs = { ...created, data: { ...fields, owner_id } }
  for (const events of [[theirs], [theirs, updated({ name: 'Bill' }, theirs.data)]]) {
    template(t, ...events)
      .when(update({ name: 'Note' }))
      .refused('TEMPLATE_NOT_FOUND')
    template(t, ...events)
      .when(remove())
      .refused('TEMPLATE_NOT_FOUND')
    template(t, ...events)
      .when({ type: 'DeleteTemplate', data: { template_id: id, owner_id } })
      .then([deleted])
  }
  template(t, created)
    .when({ type: 'DeleteTemplate', data: { template_id: id, owner_id } })
    .refused('TEMPLATE_NOT_FOUND')
  template(t, created).when(remove()).then([deleted])
})

t.test('an absent or deleted template cannot be updated or deleted', async (t) => {
  template(t)
    .when(update({ name: 'Bill' }))
    .refused('TEMPLATE_NOT_FOUND')
  template(t, created, deleted)
    .when(update({ name: 'Bill' }))
    .refused('TEMPLATE_NOT_FOUND')
  template(t, created, deleted).when(remove()).refused('TEMPLATE_NOT_FOUND')
  template(t, created, deleted).when(create).then([])
})
