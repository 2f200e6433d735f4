import type { WantedStream } from '@platen/messaging/streams/streams.ts'
import { nanos, RetentionPolicy, StorageType } from 'nats'
import { streams } from './subjects.ts'

const dayMs = 24 * 3_600_000

const file = { storage: StorageType.File, allow_direct: true }

/** Events are kept for 30 days so that subscribers can catch up. */
export const streamConfigs: readonly WantedStream[] = [
  { ...file, name: streams.commands, subjects: ['commands.>'], retention: RetentionPolicy.Workqueue },
  { ...file, name: streams.events, subjects: ['events.>'], max_age: nanos(30 * dayMs) },
  { ...file, name: streams.deadLetters, subjects: ['dead-letters.>'], max_age: nanos(30 * dayMs) },
]
