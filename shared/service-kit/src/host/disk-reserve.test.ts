import { recordingLog } from '@platen/test-support/recording-log.ts'
import t from 'tap'
import { DiskReserve, localPaths } from './disk-reserve.ts'

t.test('new work is refused below the reserve, which is logged once', async (t) => {
  const { log, text } = recordingLog()
  // No disk has as much free space as that.
  await using disk = await DiskReserve.open({ paths: ['/no/such', t.testdir()], reserveMb: 2 ** 40, log })
  t.match(disk.shortage, /^\d+ MiB are free on the disk; 1099511627776 MiB are kept in reserve$/)
  await t.rejects(disk.check.check(), { name: 'DependencyUnavailable', message: disk.shortage ?? '' })
  t.equal(text().split('refusing new work').length, 2)
})

t.test('with enough space it passes', async (t) => {
  const { log, text } = recordingLog()
  await using disk = await DiskReserve.open({ paths: [t.testdir()], reserveMb: 1, log })
  t.equal(disk.shortage, undefined)
  await t.resolves(disk.check.check())
  t.equal(text(), '')
})

t.test('the stores of this machine are watched', async (t) => {
  const urls = ['sqlite:/var/lib/platen/events.db', 'file:/srv/objects', 'esdb://host:2113', 's3://host/bucket']
  t.strictSame(localPaths(urls), ['/var/lib/platen', '/srv/objects'])
})

t.test('of an event store that is a link, the disk of the file itself is looked at', (t) => {
  const folder = t.testdir({ disk: {}, data: { 'events.db': t.fixture('symlink', '../disk/events.db') } })
  t.strictSame(localPaths([`sqlite:${folder}/data/events.db`]), [`${folder}/disk`])
  t.end()
})
