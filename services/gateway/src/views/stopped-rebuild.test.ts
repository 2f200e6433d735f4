import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { buildingPath, nextPath, readyPath } from '@platen/service-kit/projections/prepared-view.ts'
import { storeWith } from '@platen/test-support/store-with.ts'
import { until } from '@platen/test-support/until.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { openViews } from './open-views.ts'
import { runViews } from './run-views.ts'

t.test('rebuilt views are taken by the next start if a gateway is stopped before they have caught up', async (t) => {
  const folder = t.testdir({})
  const path = join(folder, 'views.db')
  const store = await openEventStore(`sqlite:${join(folder, 'events.db')}`)
  t.teardown(() => store.close())
  let isSilent = false
  const silent = storeWith(store, {
    async *subscribe(options) {
      if (!isSilent) return yield* store.subscribe(options)
      await new Promise((resolve) => options.signal.addEventListener('abort', resolve))
    },
  })
  const log = createLogger('test', 'silent')
  const start = () => runViews({ path, store: silent, log, metrics: new Registry(), fail: () => {} })
  const repairedAt = new Date()
  {
    await using views = start()
    await views.caughtUp
    isSilent = true
    {
      using rebuilt = openViews(buildingPath(path))
      rebuilt.purged(repairedAt)
    }
    renameSync(buildingPath(path), readyPath(path))
    await until(() => existsSync(nextPath(path)) || undefined, 'the gateway has taken them')
  }
  t.notOk(existsSync(nextPath(path)))
  isSilent = false
  await using views = start()
  await views.caughtUp
  t.equal(views.applied().purgedAt, repairedAt.toISOString())
})
