import type { Test } from 'tap'
import { testsOfAppending } from './suite/appending.ts'
import type { OpenStore } from './suite/given-store.ts'
import { testsOfReading } from './suite/reading.ts'
import { testsOfRetrying } from './suite/retrying.ts'
import { testsOfSubscribing } from './suite/subscribing.ts'

/**
 * The behaviour of every event store, tested through the port only. `open` returns a store for one test. The log may
 * contain other events: each test uses a category of its own.
 */
export async function eventStoreSuite(t: Test, open: OpenStore): Promise<void> {
  await t.test('appending', (t) => testsOfAppending(t, open))
  await t.test('retrying', (t) => testsOfRetrying(t, open))
  await t.test('reading', (t) => testsOfReading(t, open))
  await t.test('subscribing', (t) => testsOfSubscribing(t, open))
}
