import { type JetStreamManager, RetentionPolicy, StorageType } from 'nats'
import { ensureStream } from '../streams/streams.ts'

/** A work queue of commands, and the dead letters. */
export async function addTestStreams(jsm: JetStreamManager): Promise<void> {
  const file = { storage: StorageType.File, allow_direct: true }
  await ensureStream(jsm, { ...file, name: 'COMMANDS', subjects: ['commands.>'], retention: RetentionPolicy.Workqueue })
  await ensureStream(jsm, { ...file, name: 'DEAD_LETTERS', subjects: ['dead-letters.>'] })
}
