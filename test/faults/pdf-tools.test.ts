import { join } from 'node:path'
import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import t from 'tap'
import { type Platen, startPlaten } from '../support/platen.ts'
import { type Completed, download, generate } from '../support/print.ts'
import { readPdf } from '../support/read-pdf.ts'
import { until } from '../support/until.ts'

t.setTimeout(300_000)

const sources = 500

t.test('a merge that is killed in the middle is done once', async (t) => {
  await using platen = await startPlaten()
  const body = { sources: await documents(platen, sources), async: true }
  const headers = { 'idempotency-key': 'killed' }
  const post = () => platen.json<Generation>('/v1/pdf/merge', { body, headers })
  const accepted = await post()
  t.equal(accepted.status, 202, JSON.stringify(accepted.body))
  const { id } = accepted.body
  for (let kill = 1; kill <= 2; kill++) {
    // The tools have a process of their own while they work.
    const isWorking = async () => (await platen.children()).some(({ command }) => command.includes('pdf-tools'))
    await until(async () => (await isWorking()) || undefined, 'the tools were not started')
    await platen.kill()
    await platen.start()
    t.comment(`killed ${kill}`)
  }
  t.equal((await post()).body.id, id, 'a repeated request is the same generation')
  const ended = await until(
    async () => {
      const { body: found } = await platen.json<Completed>(`/v1/generations/${id}?wait=30`)
      return found.status === 'completed' || found.status === 'failed' ? found : undefined
    },
    () => platen.output(),
  )
  t.match(ended, { status: 'completed', operation: 'merge', pages: 2 * sources })
  const pages = await readPdf(await download(ended.url))
  t.strictSame(
    pages.map(({ text }) => text.trim()),
    Array.from({ length: sources }, (_, at) => [`one of ${at + 1}`, `two of ${at + 1}`]).flat(),
  )
  const store = await openEventStore(`sqlite:${join(platen.dataDir, 'events.db')}`)
  t.teardown(() => store.close())
  const types: string[] = []
  for await (const { type } of store.readStream(generationStream(id))) types.push(type)
  t.strictSame(
    types.filter((type) => /Completed|Failed|Cancelled/.test(type)),
    ['GenerationCompleted'],
  )
  t.equal(types[0], 'GenerationRequested')
  t.ok(types.filter((type) => type === 'GenerationStarted').length > 1, `${types}`)
})

/** Generations of two pages with texts of their own, as sources. */
async function documents(platen: Platen, count: number): Promise<{ generation: string }[]> {
  const html = '<p>one of {{n}}<p style="break-before:page">two of {{n}}'
  const items = Array.from({ length: count }, (_, at) => ({ data: { n: at + 1 } }))
  const { body: batch } = await platen.json<{ id: string }>('/v1/batches', { body: { html, items } })
  await until(
    async () => {
      const { body } = await platen.json<{ status: string }>(`/v1/batches/${batch.id}`)
      return body.status === 'completed' || undefined
    },
    () => platen.output(),
  )
  return items.map((_, index) => ({ generation: itemGenerationId(batch.id, index + 1) }))
}

t.test('a merge whose process is killed is failed, and its PDF is not delivered', async (t) => {
  await using platen = await startPlaten()
  const { generation } = await generate(platen, { html: '<p>one<p style="break-before:page">two' })
  const body = { sources: Array.from({ length: sources }, () => ({ generation: generation.id })), async: true }
  const { body: accepted } = await platen.json<Generation>('/v1/pdf/merge', { body })
  const tools = await until(
    async () => (await platen.children()).find(({ command }) => command.includes('pdf-tools')),
    'the tools were not started',
  )
  process.kill(tools.pid, 'SIGKILL')
  const ended = await platen.json<Generation>(`/v1/generations/${accepted.id}?wait=60`)
  t.match(ended.body, { status: 'failed', error: { code: 'PDF_TOO_COMPLEX', details: { reason: 'crashed' } } })
  const next = await platen.json<Generation>('/v1/pdf/rotate', {
    body: { source: { generation: generation.id }, degrees: 90 },
  })
  t.match(next, { status: 200, body: { status: 'completed' } }, 'the next one has a new process')
})

t.test('a merge that is cancelled ends its process at once', async (t) => {
  await using platen = await startPlaten()
  const { generation } = await generate(platen, { html: '<p>one<p style="break-before:page">two' })
  const body = { sources: Array.from({ length: sources }, () => ({ generation: generation.id })), async: true }
  const { body: accepted } = await platen.json<Generation>('/v1/pdf/merge', { body })
  const working = async () => (await platen.children()).find(({ command }) => command.includes('pdf-tools'))
  await until(working, 'the tools were not started')
  const cancelled = await platen.json<Generation>(`/v1/generations/${accepted.id}`, { method: 'DELETE' })
  t.match(cancelled, { status: 200, body: { status: 'cancelled', operation: 'merge' } })
  await until(async () => ((await working()) === undefined ? true : undefined), 'the tools go on')
  t.equal((await platen.request(`/v1/generations/${accepted.id}/file`)).status, 409)
})
