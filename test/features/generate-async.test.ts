import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Template } from '@platen/domain/template/template.ts'
import t from 'tap'
import { download } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { ownerOfSharedPlaten } from '../support/shared-platen.ts'
import { until } from '../support/until.ts'

type Page = { data: Generation[]; next_cursor?: string }

const platen = await ownerOfSharedPlaten()

const submit = (body: object) => platen.json<Generation>('/v1/generate', { body: { async: true, ...body } })
const poll = (id: string, query = '') => platen.json<Generation>(`/v1/generations/${id}${query}`)
const cancel = (id: string) => platen.json<Generation>(`/v1/generations/${id}`, { method: 'DELETE' })
const list = (query = '') => platen.json<Page>(`/v1/generations${query}`)
const idsOf = ({ body }: { body: Page }) => body.data.map(({ id }) => id)
const endless = '<script>for (;;) {}</script>'

async function rendering(id: string): Promise<void> {
  const isRendering = async () => (await poll(id)).body.status === 'rendering' || undefined
  await until(isRendering, `${id} was not rendered`)
}

t.test('an asynchronous generation is accepted, polled and completed', async (t) => {
  const { status, body, headers } = await submit({ html: '<p>Later' })
  t.equal(status, 202)
  t.match(headers.get('content-type'), /^application\/json/)
  t.match(body.id, /^pdf_[0-9a-z]{26}$/)
  t.strictSame(body, {
    id: body.id,
    status: 'queued',
    created_at: body.created_at,
    poll_url: `${platen.url}/v1/generations/${body.id}`,
  })
  const final = await until(async () => {
    const polled = await platen.json<Generation>(new URL(body.poll_url ?? '').pathname)
    t.equal(polled.status, 200)
    return ['queued', 'rendering'].includes(polled.body.status) ? undefined : polled.body
  }, 'the generation did not end')
  const { url, pages, size } = final
  t.match(final, { id: body.id, status: 'completed', created_at: body.created_at, pages: 1, duration_ms: Number })
  for (const field of ['poll_url', 'error', 'template']) t.notHas(final, field)
  const pdf = await download(url)
  t.equal(pdf.byteLength, size)
  t.equal((await readPdf(pdf)).length, pages)
})

t.test('a poll with `wait` answers when the generation has ended', async (t) => {
  const { body } = await submit({ html: '<p>Waited for' })
  t.equal((await poll(body.id, '?wait=30')).body.status, 'completed')
  t.equal((await poll(body.id, '?wait=30')).body.status, 'completed')
})

t.test('a poll of a failed generation answers 200 with the error', async (t) => {
  const { status, body } = await submit({ html: '{{#if}}', data: {} })
  t.equal(status, 202)
  const failed = await poll(body.id, '?wait=30')
  t.equal(failed.status, 200)
  t.match(failed.body, { status: 'failed', error: { code: 'TEMPLATE_SYNTAX_ERROR', message: /html/ } })
  t.notHas(failed.body, 'url')
  t.notHas(failed.body, 'poll_url')
})

t.test('DELETE cancels a generation', async (t) => {
  // One document for each slot.
  const busy = await Promise.all([1, 2].map(() => submit({ html: endless })))
  for (const { body } of busy) await rendering(body.id)
  const { body: waiting } = await submit({ html: '<p>Never printed' })
  const { body: next } = await submit({ html: '<p>Next' })

  t.test('a queued generation is cancelled', async (t) => {
    t.equal((await poll(waiting.id)).body.status, 'queued')
    t.match((await poll(waiting.id, '?wait=0')).body, { status: 'queued', poll_url: waiting.poll_url })
    t.ok(idsOf(await list('?status=queued')).includes(waiting.id))
    const cancelled = await cancel(waiting.id)
    t.equal(cancelled.status, 200)
    t.strictSame(cancelled.body, { id: waiting.id, status: 'cancelled', created_at: waiting.created_at })
    t.strictSame((await poll(waiting.id)).body, cancelled.body)
    t.equal((await cancel(waiting.id)).status, 200, 'a repeated DELETE')
    t.notOk(idsOf(await list('?status=queued')).includes(waiting.id))
  })

  t.test('a generation that is being rendered is cancelled, and its slot is free', async (t) => {
    t.ok(idsOf(await list('?status=rendering')).includes(busy[0]?.body.id ?? ''))
    for (const { body } of busy) {
      t.equal((await cancel(body.id)).body.status, 'cancelled')
      t.equal((await poll(body.id)).body.status, 'cancelled')
    }
    t.equal((await poll(next.id, '?wait=30')).body.status, 'completed')
    t.equal((await poll(waiting.id)).body.status, 'cancelled', 'it stays cancelled')
  })

  t.test('DELETE of a completed generation answers 409', async (t) => {
    const { status, body } = await cancel(next.id)
    t.equal(status, 409)
    t.match(body, { error: { code: 'CONFLICT', message: /completed/ } })
    t.equal((await poll(next.id)).body.status, 'completed')
  })
})

t.test('a synchronous request does not wait for queued generations', async (t) => {
  const backlog = await Promise.all(Array.from({ length: 4 }, () => submit({ html: endless })))
  await rendering(backlog[0]?.body.id ?? '')
  const { status } = await platen.json('/v1/generate', { body: { html: 'At once' } })
  t.equal(status, 200)
  for (const { body } of backlog.toReversed()) t.equal((await cancel(body.id)).body.status, 'cancelled')
})

t.test('the list of generations', async (t) => {
  const { body: template } = await platen.json<Template>('/v1/templates', { body: { name: 'Listed', html: 'x' } })
  const ids: string[] = []
  for (let at = 0; at < 5; at++) {
    const { body } = await submit(at % 2 === 0 ? { template: template.id } : { html: '{{/if}}', data: {} })
    ids.unshift(body.id)
  }
  t.ok(idsOf(await list()).includes(ids[0] ?? ''), 'it contains a generation that was just accepted')
  for (const id of ids) await poll(id, '?wait=30')

  t.test('is sorted newest first and has the same fields as a poll', async (t) => {
    const newest = await list('?limit=5')
    t.strictSame(idsOf(newest), ids)
    for (const listed of newest.body.data) {
      const { body } = await poll(listed.id)
      t.strictSame({ ...listed, url: '' }, { ...body, url: '' })
    }
    t.ok(newest.body.data.every(({ created_at }, at, all) => created_at <= (all[at - 1]?.created_at ?? '9')))
  })

  t.test('is read page by page without a gap or a repetition', async (t) => {
    const seen: string[] = []
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const { body }: { body: Page } = await list(`?limit=3${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.data.map(({ id }) => id))
      cursor = body.next_cursor
    }
    t.strictSame(seen, idsOf(await list('?limit=100')))
    t.equal(new Set(seen).size, seen.length)
  })

  t.test('is filtered by status and template', async (t) => {
    const completed = ids.filter((_, at) => at % 2 === 0)
    for (const ref of [template.id, 'listed']) {
      t.strictSame(idsOf(await list(`?template=${ref}`)), completed, ref)
      t.strictSame(idsOf(await list(`?template=${ref}&status=completed&limit=2`)), completed.slice(0, 2))
      t.strictSame(idsOf(await list(`?template=${ref}&status=failed`)), [])
    }
    const failed = await list('?status=failed&limit=2')
    t.strictSame(idsOf(failed), [ids[1], ids[3]])
    t.ok(failed.body.data.every(({ status }) => status === 'failed'))
    t.strictSame(idsOf(await list('?template=never-was')), [])
    await platen.request(`/v1/templates/${template.id}`, { method: 'DELETE' })
    t.strictSame(
      idsOf(await list(`?template=${template.id}`)),
      completed,
      'the id of a deleted template is still a filter',
    )
  })
})

t.test('a template is printed in the version it had when the generation was requested', async (t) => {
  const { body: template } = await platen.json<Template>('/v1/templates', { body: { name: 'Pinned', html: 'old' } })
  const { body } = await submit({ template: 'pinned' })
  t.strictSame(body.template, { id: template.id, version: 1 })
  await platen.json(`/v1/templates/${template.id}`, { method: 'PATCH', body: { html: 'new' } })
  const { body: final } = await poll(body.id, '?wait=30')
  t.strictSame(final.template, { id: template.id, version: 1 })
  const [page] = await readPdf(await download(final.url))
  t.equal(page?.text, 'old')
})
