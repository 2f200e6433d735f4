import type { Test } from 'tap'
import { testsOfAppending } from './suite/appending.ts'
import type { OpenStore } from './suite/given-store.ts'
import { testsOfReading } from './suite/reading.ts'
import { testsOfRetrying } from './suite/retrying.ts'
import { testsOfSubscribing } from './suite/subscribing.ts'

/**
 * What every event store does, seen through the port alone. `open` gives a store for one test, on a log that may hold
 * events of others: each test keeps to a category of its own.
 */
export async function eventStoreSuite(t: Test, open: OpenStore): Promise<void> {
  await t.test('appending', (t) => testsOfAppending(t, open))
  await t.test('retrying', (t) => testsOfRetrying(t, open))
  await t.test('reading', (t) => testsOfReading(t, open))
  await t.test('subscribing', (t) => testsOfSubscribing(t, open))
}
