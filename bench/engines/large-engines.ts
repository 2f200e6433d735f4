import { fileURLToPath } from 'node:url'
import { launch } from '../../test/support/platen.ts'
import type { ObjectStoreTarget } from './object-stores.ts'

export interface LargeEngines extends AsyncDisposable {
  eventStore: { name: string; url: string }
  objectStore: ObjectStoreTarget
}

const { ESDB_TEST_URL, S3_TEST_URL, S3_TEST_ACCESS_KEY, S3_TEST_SECRET_KEY } = process.env

/** The servers of ESDB_TEST_URL and S3_TEST_URL. Without these, fakes that keep everything in memory. */
export async function startLargeEngines(): Promise<LargeEngines> {
  await using resources = new AsyncDisposableStack()
  const startFake = async (file: string): Promise<Record<string, string>> => {
    const entryPoint = fileURLToPath(new URL(`../../test/support/${file}`, import.meta.url))
    const running = await launch({ entryPoint, settings: {}, readyText: '}\n' })
    resources.defer(() => running.end())
    return JSON.parse(running.output())
  }
  const eventStore = ESDB_TEST_URL
    ? { name: 'EventStoreDB', url: ESDB_TEST_URL }
    : { name: 'EventStoreDB (fake)', url: (await startFake('run-fake-eventstoredb.ts')).url ?? '' }
  const { url = '', ...keys } = S3_TEST_URL
    ? { url: S3_TEST_URL, accessKey: S3_TEST_ACCESS_KEY, secretKey: S3_TEST_SECRET_KEY }
    : await startFake('run-fake-s3.ts')
  const objectStore = { name: S3_TEST_URL ? 'S3' : 'S3 (fake)', url, options: keys }
  const running = resources.move()
  return { eventStore, objectStore, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
