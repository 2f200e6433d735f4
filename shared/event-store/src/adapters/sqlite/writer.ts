import { parentPort, workerData } from 'node:worker_threads'
import { GroupCommit } from './group-commit.ts'
import { connectToEventDatabase } from './schema.ts'
import {
  failureOf,
  type WriteAnswer,
  type WriteRequest,
  type WriteResult,
  type WriterSettings,
} from './writer-protocol.ts'

// The worker thread that commits, so that waiting for the disk does not block the event loop of the service.

const { path, token } = workerData as WriterSettings
const appends = new GroupCommit(connectToEventDatabase(path), token)

parentPort?.on('message', async ({ id, append, timeoutMs }: WriteRequest) => {
  const result = await appends.append(append, timeoutMs).then(
    (written): WriteResult => written,
    (err: unknown): WriteResult => ({ failure: failureOf(err) }),
  )
  parentPort?.postMessage({ id, ...result } satisfies WriteAnswer)
})
