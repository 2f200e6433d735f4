import { readFile } from 'node:fs/promises'
import { launchService } from '../../test/support/fleet.ts'
import { freePorts } from '../../test/support/free-port.ts'
import type { Measured } from './measure.ts'

const ticksPerSecond = 100

/** Starts a gateway in a process of its own, until it listens: without views first, then with the views of that start. */
export async function measureStarts(
  settings: { NATS_URL: string; EVENT_STORE_URL: string; OBJECT_STORE_URL: string; DATA_DIR: string },
  events: number,
): Promise<{ first: Measured; later: Measured }> {
  const first = await measureStart(settings, events)
  return { first, later: await measureStart(settings, events) }
}

async function measureStart(settings: Record<string, string>, events: number): Promise<Measured> {
  const [port] = await freePorts(1)
  const startedAt = performance.now()
  const gateway = await launchService('gateway', {
    ...settings,
    PORT: `${port}`,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    SIGNING_SECRET: '0123456789abcdef0123456789abcdef',
    LOG_LEVEL: 'info',
  })
  const seconds = (performance.now() - startedAt) / 1_000
  try {
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
