import { openFolder } from '@platen/object-store/adapters/folder/store.ts'
import { ObjectStoreUnavailable } from '@platen/object-store/object-store.ts'
import { Registry } from 'prom-client'
import t from 'tap'
import { addBackupMetric, lastBackupKey, readLastBackup, recordBackup } from './last-backup.ts'

const log = { debug() {} }
const name = 'platen_last_backup_timestamp_seconds'
const shown = async (registry: Registry) =>
  (await registry.metrics()).split('\n').find((line) => line.startsWith(`${name} `))

t.test('the metric has the time of the last backup, 0 without one, and nothing while the store is away', async (t) => {
  const objects = await openFolder(t.testdir())
  // What is waited for in vain does not keep the process.
  const alive = setInterval(() => {}, 1_000)
  t.teardown(() => {
    clearInterval(alive)
    return objects.close()
  })
  const metricOf = (store: Parameters<typeof addBackupMetric>[1]) => {
    const registry = new Registry()
    addBackupMetric(registry, store, log)
    return shown(registry)
  }
  t.equal(await readLastBackup(objects), undefined)
  t.equal(await metricOf(objects), `${name} 0`)
  const backup = { at: '2026-01-31T12:00:00.250Z', where: '/backup' }
  await recordBackup(objects, backup)
  t.strictSame(await readLastBackup(objects), backup)
  t.equal(await metricOf(objects), `${name} ${Date.parse(backup.at) / 1_000}`)
  const get = () => Promise.reject(new ObjectStoreUnavailable('away'))
  t.equal(await metricOf({ get }), undefined)
  t.equal(
    await metricOf({ get: () => new Promise(() => {}) }),
    undefined,
    'a store that does not answer is not awaited',
  )
  for (const damaged of ['', '{"at":"yesterday"}', 'null']) {
    await objects.put(lastBackupKey, Buffer.from(damaged), 'application/json')
    t.equal(await readLastBackup(objects), undefined, damaged)
  }
})
