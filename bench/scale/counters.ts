import { readProcess } from '../../test/support/processes.ts'
import { watchSystemCalls } from '../../test/support/work/system-calls.ts'
import type { Deployment } from './deployment.ts'
import type { Part } from './result.ts'

/** What the parts of a deployment have done since they were started. */
export interface Counted {
  atMs: number
  /** Processor time, by process id. */
  cpuMs: ReadonlyMap<number, number>
  /** By part. */
  flushes: Partial<Record<Part, number>>
  messages: number
  messageBytes: number
  commands: number
  events: number
  eventBytes: number
  appends: number
  objectRequests: Readonly<Record<string, number>>
}

export interface Counters extends AsyncDisposable {
  /** Why flushes are not counted, if so. */
  uncounted: string | undefined
  read(): Promise<Counted>
}

const nothing = { messages: 0, messageBytes: 0, commands: 0, events: 0, eventBytes: 0, appends: 0, objectRequests: {} }

export async function openCounters({ processes, counters }: Deployment): Promise<Counters> {
  const names = Object.fromEntries(processes.map(({ part, pid }) => [`${part}/${pid}`, pid]))
  const calls = await watchSystemCalls(names)
  const readFlushes = async () => {
    const flushes: Partial<Record<Part, number>> = {}
    if (typeof calls === 'string') return flushes
    for (const [kind, count] of Object.entries(await calls.read())) {
      const [name = '', call] = kind.split(/ (\w+)$/)
      const part = name.split('/')[0] as Part
      if (call === 'flush') flushes[part] = (flushes[part] ?? 0) + count
    }
    return flushes
  }
  return {
    uncounted: typeof calls === 'string' ? calls : undefined,
    async read() {
      const atMs = performance.now()
      const cpuMs = new Map(
        [...processes.map(({ pid }) => pid), process.pid].map((pid) => [pid, readProcess(pid)?.cpuMs ?? 0]),
      )
      const asked = counters ? await ask(counters) : nothing
      return { atMs, cpuMs, ...asked, flushes: await readFlushes() }
    },
    async [Symbol.asyncDispose]() {
      if (typeof calls !== 'string') await calls[Symbol.asyncDispose]()
    },
  }
}

/** https://docs.nats.io/running-a-nats-service/nats_admin/monitoring */
interface Varz {
  in_msgs: number
  out_msgs: number
  in_bytes: number
  out_bytes: number
}
interface Jsz {
  account_details: { stream_detail?: { name: string; state: { last_seq: number; bytes: number } }[] }[]
}

async function ask({ nats, metrics, objectStore }: NonNullable<Deployment['counters']>) {
  const json = async <Body>(url: string) => (await (await fetch(url)).json()) as Body
  const [varz, jsz, appends, objectRequests] = await Promise.all([
    json<Varz>(`${nats}/varz`),
    json<Jsz>(`${nats}/jsz?streams=true`),
    Promise.all(metrics.map(countAppends)),
    objectStore === undefined ? {} : json<Record<string, number>>(objectStore),
  ])
  const streams = jsz.account_details.flatMap(({ stream_detail = [] }) => stream_detail)
  const stateOf = (name: string) => streams.find((stream) => stream.name === name)?.state
  return {
    messages: varz.in_msgs + varz.out_msgs,
    messageBytes: varz.in_bytes + varz.out_bytes,
    commands: stateOf('COMMANDS')?.last_seq ?? 0,
    events: stateOf('EVENTS')?.last_seq ?? 0,
    eventBytes: stateOf('EVENTS')?.bytes ?? 0,
    appends: appends.reduce((sum, count) => sum + count, 0),
    objectRequests,
  }
}

async function countAppends(url: string): Promise<number> {
  const text = await (await fetch(url)).text()
  return Number(/^platen_event_store_append_seconds_count\{.*outcome="ok".*\} (\d+)/m.exec(text)?.[1] ?? 0)
}
