import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { batchStream } from '@platen/domain/batch/batch-events.ts'
import { generationStream } from '@platen/domain/generation/generation-events.ts'
import t from 'tap'
import { startEmbeddedEngines } from '../support/engines.ts'
import { type Gateway, startFleet } from '../support/fleet.ts'
import { seed } from '../support/seed.ts'
import { until } from '../support/until.ts'
import { seeded } from './harness/seeded.ts'

t.setTimeout(600_000)

const items = 300
const kills = 12

interface Batch {
  id: string
  status: string
  counts: Record<string, number>
  ended_at?: string
}

interface Page {
  data: { index: number; generation_id: string; status: string }[]
  next_cursor?: string
}

t.test('each item of a batch is printed once, whichever processes are killed', async (t) => {
  const random = seeded(seed)
  await using engines = await startEmbeddedEngines()
  await using fleet = await startFleet(engines.settings)
  const { processes, gateways, store } = fleet
  /** Reads from a gateway that answers. */
  const read = async <Body>(path: string): Promise<Body> =>
    until(
      async () => {
        for (const gateway of gateways) {
          const answer = await gateway.json<Body>(path).catch(() => undefined)
          if (answer?.status === 200) return answer.body
        }
        return undefined
      },
      () => `no gateway answers ${path}`,
    )
  // Some take longer, so that items are in hand when a process is killed.
  const busy = '<script>const until = Date.now() + 100; while (Date.now() < until);</script>'
  const item = (n: number) => ({ html: `<p>{{n}} {{index}}${n % 3 === 0 ? busy : ''}`, data: { n } })
  const lines = Array.from({ length: items }, (_, n) => JSON.stringify(item(n))).join('\n')
  const post = (gateway: Gateway) =>
    gateway.json<Batch>('/v1/batches', {
      method: 'POST',
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': 'killed' },
      body: Buffer.from(lines),
    })
  const [first, second] = gateways
  const answers = await Promise.all([post(first), post(second)])
  t.equal(answers[0].body.id, answers[1].body.id, 'one batch')
  const { id } = answers[0].body
  let killed = 0
  let done = 0
  for (;;) {
    const batch = await read<Batch>(`/v1/batches/${id}`)
    if (batch.ended_at !== undefined) break
    const { completed = 0 } = batch.counts
    // Waits until another item has ended, because on a busy machine nothing else would happen.
    if (killed < kills && completed > done) {
      done = completed
      const some = random.shuffle(processes).slice(0, random.between(1, 3))
      await Promise.all(some.map((one) => one.kill()))
      killed += some.length
      t.comment(`killed at ${completed}: ${some.map(({ name }) => name).join(' ')}`)
      await Promise.all(some.map((one) => one.start()))
    }
    await new Promise((resolve) => setTimeout(resolve, random.between(50, 500)))
  }
  t.ok(killed > 0, `${killed} were killed`)
  const ended = await read<Batch>(`/v1/batches/${id}`)
  t.match(ended, { status: 'completed', counts: { completed: items, failed: 0, cancelled: 0 } })
  const types = []
  for await (const { type } of store.readStream(batchStream(id))) types.push(type)
  t.strictSame(types, ['BatchCreated', 'BatchEnded'])
  const shown: Page['data'] = []
  for (let cursor = ''; ; ) {
    const page: Page = await read<Page>(`/v1/batches/${id}/items?limit=100${cursor}`)
    shown.push(...page.data)
    if (page.next_cursor === undefined) break
    cursor = `&cursor=${page.next_cursor}`
  }
  t.equal(shown.length, items)
  for (const { index, generation_id, status } of shown) {
    const ends: string[] = []
    for await (const { type } of store.readStream(generationStream(generation_id))) {
      if (/Completed|Failed|Cancelled/.test(type)) ends.push(type)
    }
    const isRight = status === 'completed' && ends.length === 1 && generation_id === itemGenerationId(id, index)
    if (!isRight) t.fail(`item ${index}: ${status} ${generation_id} ${ends}`)
  }
})
