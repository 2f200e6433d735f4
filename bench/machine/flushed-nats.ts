import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNatsServer, type TestNatsServer } from '../../test/support/nats-server.ts'

/**
 * The flags of a server that flushes each message before it acknowledges it, like that of `npm start` and `deploy/nats/nats.conf`.
 * A document in a message may have 8 MB.
 */
const config = { max_payload: 8 * 2 ** 20, jetstream: { sync_interval: 'always' } }

/** nats-server on a free port with a temporary store. Acknowledged messages are on disk. `flags` are passed to it. */
export async function startFlushedNatsServer(flags: readonly string[] = []): Promise<TestNatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-bench-nats-'))
  try {
    const path = join(folder, 'nats.conf')
    await writeFile(path, JSON.stringify(config))
    // The server reads the file only when it starts.
    return await startNatsServer(['-c', path, ...flags])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
