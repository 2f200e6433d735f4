import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { signingFrom } from '@platen/service-kit/signing/signing.ts'
import { takeSnapshot } from '../../services/gateway/src/views/snapshots/take-snapshot.ts'
import { launchService } from '../../test/support/fleet.ts'
import { freePorts } from '../../test/support/free-port.ts'
import { history } from './history.ts'
import type { Measured } from './measure.ts'

const ticksPerSecond = 100
const signingSecret = '0123456789abcdef0123456789abcdef'
const appendsAtOnce = 64

export interface Starts {
  first: Measured
  later: Measured
  fromSnapshot: Measured
  /** Bytes of the views, and of the snapshot in the object store. */
  viewBytes: number
  snapshotBytes: number
}

/**
 * Starts a gateway in a process of its own, until it listens: without views first, then with the views of that start, and without views but
 * with a snapshot of those, after which `tail` events were recorded.
 */
export async function measureStarts(
  settings: { NATS_URL: string; EVENT_STORE_URL: string; OBJECT_STORE_URL: string; DATA_DIR: string },
  { events, tail }: { events: number; tail: number },
): Promise<Starts> {
  const first = await measureStart(settings, events)
  const later = await measureStart(settings, events)
  const views = join(settings.DATA_DIR, 'gateway')
  const objects = await openObjectStore(settings.OBJECT_STORE_URL)
  const [signing, { signal }] = [signingFrom(signingSecret), new AbortController()]
  const path = join(views, 'views.db')
  const { snapshot } = await takeSnapshot({ path, objects, signing, retentionDays: 0, signal })
  await objects.close()
  await rm(views, { recursive: true })
  const count = events + (await append(settings.EVENT_STORE_URL, tail, events))
  const fromSnapshot = await measureStart(settings, count, 'views loaded from a snapshot')
  const snapshotBytes = snapshot.parts.reduce((sum, { bytes }) => sum + bytes, 0)
  return { first, later, fromSnapshot, viewBytes: snapshot.size, snapshotBytes }
}

/** Records at least so many events of later generations. Returns their number. */
async function append(url: string, events: number, after: number): Promise<number> {
  const store = await openEventStore(url)
  // Streams that do not depend on each other. Numbers of generations are smaller than those of events.
  const waiting = [...history(events, after + 1)].filter(({ revision }) => revision === 0)
  const count = waiting.reduce((sum, recorded) => sum + recorded.events.length, 0)
  const appendNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await store.append(next.stream, next.events, 'none')
  }
  await Promise.all(Array.from({ length: appendsAtOnce }, appendNext))
  await store.close()
  return count
}

/** Throws if the start has not logged `message`. */
async function measureStart(settings: Record<string, string>, events: number, message = ''): Promise<Measured> {
  const [port] = await freePorts(1)
  const startedAt = performance.now()
  const gateway = await launchService('gateway', {
    ...settings,
    PORT: `${port}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SIGNING_SECRET: signingSecret,
    LOG_LEVEL: 'info',
  })
  const seconds = (performance.now() - startedAt) / 1_000
  try {
    if (!gateway.output().includes(message)) throw new Error(`the gateway has not logged: ${message}`)
    const proc = `/proc/${gateway.child.pid}`
    const [stat, status] = await Promise.all([readFile(`${proc}/stat`, 'utf8'), readFile(`${proc}/status`, 'utf8')])
    // The name of the program, in parentheses, may have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const cpuSeconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
    const megabytes = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_000)
    return { events, seconds, cpuSeconds, memory: [megabytes('VmRSS'), megabytes('VmHWM')] }
  } finally {
    await gateway.end()
  }
}
