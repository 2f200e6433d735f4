import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { connect } from 'nats'
import { freePorts } from '../../test/support/free-port.ts'
import { launch, testApiKey } from '../../test/support/platen.ts'
import { label } from '../documents/label.ts'
import { startFlushedNatsServer } from '../machine/flushed-nats.ts'
import { quantile } from '../machine/statistics.ts'
import { openHttpClient } from '../strategies/http-client.ts'
import { expectAnswer, openPlaten, type RunningPlaten } from '../strategies/running-platen.ts'

export interface BacklogResult {
  queued: number
  /** Requests accepted a second over HTTP while no renderer ran. Each was answered after its command was flushed to disk. */
  enqueuedPerS: number
  /** Synchronous requests, one at a time. */
  idleP50Ms: number
  idleP95Ms: number
  underBacklogP50Ms: number
  underBacklogP95Ms: number
  /** Median `duration_ms` of the batch jobs, which print the same document. */
  jobMs: number
  /** Batch jobs that were still waiting after the last request. */
  leftQueued: number
}

const gateway = fileURLToPath(new URL('../../services/gateway/src/main.ts', import.meta.url))
const concurrency = 64

/** Fills the queue with batch jobs while no renderer runs, then measures synchronous requests while they are printed. */
export async function measureBacklog(jobs: number, samples: number): Promise<BacklogResult> {
  await using resources = new AsyncDisposableStack()
  const nats = resources.use(await startFlushedNatsServer())
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-bench-'))
  resources.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  const settings = { DATA_DIR: dataDir, NATS_URL: nats.url, SIGNING_SECRET: 'x'.repeat(32) }

  const idle = await withPlaten(settings, (platen) => syncLatencies(platen, samples))
  const enqueuedPerS = await enqueueWithoutRenderer(settings, jobs)
  const busy = await withPlaten(settings, async (platen) => {
    const latencies = await syncLatencies(platen, samples)
    return { latencies, jobMs: await jobMs(platen), leftQueued: await countQueued(nats.url) }
  })
  return {
    queued: jobs,
    enqueuedPerS,
    jobMs: busy.jobMs,
    leftQueued: busy.leftQueued,
    idleP50Ms: quantile(idle, 0.5),
    idleP95Ms: quantile(idle, 0.95),
    underBacklogP50Ms: quantile(busy.latencies, 0.5),
    underBacklogP95Ms: quantile(busy.latencies, 0.95),
  }
}

async function withPlaten<Result>(settings: Record<string, string>, use: (platen: RunningPlaten) => Promise<Result>) {
  await using platen = await openPlaten(settings)
  return await use(platen)
}

async function syncLatencies({ client }: RunningPlaten, samples: number): Promise<number[]> {
  const { html } = label()
  const latencies: number[] = []
  // The first five requests warm up.
  for (let sample = -5; sample < samples; sample++) {
    const startedAt = performance.now()
    expectAnswer(await client.post('/v1/generate', { html }), 200)
    if (sample >= 0) latencies.push(performance.now() - startedAt)
  }
  return latencies
}

async function enqueueWithoutRenderer(settings: Record<string, string>, jobs: number): Promise<number> {
  const [port = 0] = await freePorts(1)
  const alone = await launch({
    entryPoint: gateway,
    settings: {
      ...settings,
      PORT: String(port),
      API_KEY: testApiKey,
      LOG_LEVEL: 'info',
      MAX_QUEUED: '20000',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      EVENT_STORE_URL: `sqlite:${join(settings.DATA_DIR ?? '', 'events.db')}`,
      OBJECT_STORE_URL: `file:${join(settings.DATA_DIR ?? '', 'objects')}`,
    },
    readyText: 'gateway listening',
  })
  using client = openHttpClient(`http://127.0.0.1:${port}`, { authorization: `Bearer ${testApiKey}` })
  const body = { html: label().html, async: true }
  const send = async (count: number) => {
    let sent = 0
    const work = async () => {
      while (sent++ < count) expectAnswer(await client.post('/v1/generate', body), 202)
    }
    await Promise.all(Array.from({ length: concurrency }, work))
  }
  // A gateway that has just started still compiles its code.
  const warming = jobs / 10
  await send(warming)
  const startedAt = performance.now()
  await send(jobs - warming)
  const seconds = (performance.now() - startedAt) / 1_000
  await alone.end()
  return (jobs - warming) / seconds
}

async function jobMs({ client }: RunningPlaten): Promise<number> {
  const { body } = await client.get('/v1/generations?status=completed&limit=100')
  const { data } = JSON.parse(body.toString()) as { data: { duration_ms?: number }[] }
  return quantile(
    data.flatMap(({ duration_ms }) => (duration_ms === undefined ? [] : [duration_ms])),
    0.5,
  )
}

async function countQueued(url: string): Promise<number> {
  const nats = await connect({ servers: url.replace('nats://', '') })
  try {
    const info = await (await nats.jetstreamManager()).streams.info('COMMANDS')
    return info.state.messages
  } finally {
    await nats.close()
  }
}
