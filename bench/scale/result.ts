import type { Machine } from '../machine/about.ts'

/** The programs of a deployment, and those of the bench: the stand-in for Chromium, and the client that sends the requests. */
export const parts = [
  ...(['Platen', 'gateway', 'template service', 'renderer', 'relay', 'notifier'] as const),
  ...(['nats-server', 'event store', 'object store', 'stand-in', 'client'] as const),
]
export type Part = (typeof parts)[number]

/** `one process`: what `npm start` runs. The others: each service in processes of its own, as docs/operate/processes.md runs them. */
export const deploymentNames = ['one process, SQLite', 'processes, SQLite', 'processes, EventStoreDB'] as const
export type DeploymentName = (typeof deploymentNames)[number]

/** `sync`: a request that is answered when its document is stored. `webhook`: one that is answered at once, and reported by a webhook. */
export type Workload = 'sync' | 'webhook'

/** `paced`: prints take long, and slots limit the rate. `saturated`: prints take next to no time, and processors limit it. */
export type Pace = 'paced' | 'saturated'

/** A part of a deployment in one run. */
export interface PartCost {
  processes: number
  /** Processor time a document, all processes of the part together, with what they use at rest. */
  cpuMs: number
  /** Processor time a second of one process at rest, after the load. */
  restMs: number
  /** Proportional memory of one process, under load. */
  pssMb: number
  /** Flushes (fsync, fdatasync, writes to files opened with O_SYNC) a document; absent where they cannot be counted. */
  flushes?: number
}

/** One run: a deployment of a size under a load. */
export interface ScaleRow {
  deployment: DeploymentName
  workload: Workload
  pace: Pace
  /** Gateways, renderers and notifiers, each. */
  size: number
  /** Of the relay of the renderers. Each has a process here. */
  partitions: number
  slots: number
  printMs: number
  /** The core of each unit (a gateway, a renderer, a notifier, a relay), and those of all other programs. */
  cores: string
  seconds: number
  documents: number
  /** Documents a second. */
  rate: number
  p50Ms: number
  p95Ms: number
  parts: Partial<Record<Part, PartCost>>
  /** Messages that nats-server received and sent a document, and their bytes, without those at rest; absent if it cannot be asked. */
  messages?: number
  messageBytes?: number
  /** Messages a document in the streams of NATS, and bytes of EVENTS. */
  stored?: { commands: number; events: number; eventBytes: number }
  /** Transactions of events a document; absent in one process. */
  appends?: number
  /** Requests to S3 a document, by method. */
  objectRequests?: Record<string, number>
  /** Of all cores: what other programs used. */
  usedByOthers: number
  /** The process that used the largest share of a core. Above 1 it has threads. */
  busiest: { part: Part; share: number }
}

export interface ScaleResult {
  machine: Machine
  pdfBytes: number
  /** Whether the event store and S3 were servers, or those of this repository, which keep everything in memory. */
  engines: { eventStore: string; objectStore: string }
  /** Median milliseconds of a flush of 4 KB on the disk of the data. */
  flushMs: number
  /** Messages a second into one stream of nats-server, each flushed, 256 unconfirmed at a time. */
  streamPerS: number
  rows: ScaleRow[]
}

/** Requests to S3 a document. */
export const s3Requests = ({ objectRequests }: Pick<ScaleRow, 'objectRequests'>): number | undefined =>
  objectRequests && Object.values(objectRequests).reduce((sum, one) => sum + one, 0)
