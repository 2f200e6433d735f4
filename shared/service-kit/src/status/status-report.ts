import type { AnnouncedProcess } from '../host/announced-processes.ts'
import type { DeliveryFigures, Disk } from '../host/announcement.ts'
import type { RelayStatus } from '../relay/relay-status.ts'

/** A part of the report that depends on what is broken. */
export interface NotChecked {
  not_checked: string
}

export type Part<Value> = Value | NotChecked

/** How it stands, as `platen status --json` prints it. Times are RFC 3339, durations in seconds, sizes in bytes. */
export interface StatusReport {
  at: string
  /** What deserves attention, the worst first. */
  attention: Attention[]
  deployment: Part<string>
  engines: Engine[]
  processes: Part<AnnouncedProcess[]>
  /** The number of processes in which each service runs. */
  services: Part<Record<string, number>>
  queues: Part<QueueState[]>
  consumers: Part<ConsumerState[]>
  relays: Part<RelayStatus[]>
  views: Part<ViewState[]>
  deliveries: Part<DeliveryFigures>
  dead_letters: Part<DeadLetterState>
  disks: (Disk & { host: string })[]
  last_backup: Part<LastBackup | null>
}

export interface Attention {
  level: 'wrong' | 'note'
  /** The part of the report, such as `renderer` or `dead letters`. */
  what: string
  found: string
  remedy: string
}

export interface Engine {
  engine: 'NATS' | 'event store' | 'object store'
  ok: boolean
  /** What it is; of a broken one why it cannot be used. */
  found: string
}

export interface QueueState {
  priority: string
  waiting: number
  in_progress: number
  oldest_s: number
  /** When the oldest was sent. Absent if there is none. */
  oldest_at?: string
}

export interface ConsumerState {
  stream: string
  consumer: string
  /** Whether it is Platen's own, and not a subscriber's. */
  own: boolean
  pending: number
  in_progress: number
  redelivered: number
  /**
   * Seconds since the consumer last acknowledged a message, by the clock of NATS. Absent if it never has since NATS was
   * started.
   */
  idle_s?: number
  last_active_at?: string
  /** Whether somebody asks for messages at this moment. */
  read: boolean
}

export interface ViewState {
  /** The process and the view: `requests` of a gateway, `deliveries` of a notifier. */
  process: string
  view: 'requests' | 'deliveries'
  lag_s: number
}

export interface DeadLetterState {
  count: number
  /** The reasons of the newest hundred. */
  reasons: { reason: string; count: number }[]
}

export interface LastBackup {
  at: string
  age_s: number
  /** Where it is, or how it was made. */
  where: string
}

export const isChecked = <Value>(part: Part<Value>): part is Value =>
  !(typeof part === 'object' && part !== null && 'not_checked' in part)
