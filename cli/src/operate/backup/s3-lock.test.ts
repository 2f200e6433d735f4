import { join } from 'node:path'
import { lockFile } from '@platen/foundation/runtime/file-lock.ts'
import { openS3Folder } from '@platen/object-store/adapters/open-object-store.ts'
import { storedObject } from '@platen/test-support/fake-s3/buckets.ts'
import { startFakeS3 } from '@platen/test-support/fake-s3/start-fake-s3.ts'
import t, { type Test } from 'tap'
import { S3Lock, type S3LockOptions } from './s3-lock.ts'

t.setTimeout(300_000)

async function givenBucket(t: Test) {
  const server = await startFakeS3()
  t.teardown(() => server.stop())
  const { accessKey, secretKey } = server
  const store = await openS3Folder(`${server.url('backups').replace('/backups', '/backups/here')}`, {
    accessKey,
    secretKey,
  })
  t.teardown(() => store.close())
  const notes: string[] = []
  const locks: S3Lock[] = []
  // Otherwise their renewals continue.
  t.teardown(() => Promise.all(locks.map((lock) => lock.release())))
  /** A lock of a machine of its own. */
  const lock = (options: Partial<S3LockOptions> = {}) => {
    const note = (text: string) => void notes.push(text)
    const made = new S3Lock({
      store,
      name: 's3://here',
      lockPath: undefined,
      note,
      renewEveryMs: 100,
      deadAfterMs: 5_000,
      ...options,
    })
    locks.push(made)
    return made
  }
  return { server, lock, notes }
}

const stopped = { renewEveryMs: 3_600_000 }

t.test('one of two has the lock, and the other is refused as long as it is renewed', async (t) => {
  const { lock, notes } = await givenBucket(t)
  const [first, second] = [lock(), lock()]
  const took = await Promise.allSettled([first.take(), second.take()])
  t.same(took.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.match(
    took.find(({ status }) => status === 'rejected'),
    {
      reason: /a backup is being written to s3:\/\/here, by process \d+ of host .* since .*; wait until it has ended/,
    },
  )
  await t.rejects(lock().requireFree(), /is being written/)
  t.match(notes, [/waiting up to 5 s to see whether it goes on/])
  await first.release()
  await second.release()
  await lock().requireFree()
  await lock().take()
})

t.test('the lock of a machine that has stopped is taken over when it was not renewed for the time', async (t) => {
  const { lock } = await givenBucket(t)
  const suspended = lock(stopped)
  await suspended.take()
  const startedAt = performance.now()
  const next = lock()
  await next.take()
  t.ok(performance.now() - startedAt >= 5_000, 'it was looked at for the whole time')
  await next.confirm()
  await next.release()
})

t.test('who has lost the lock is told', async (t) => {
  const { lock } = await givenBucket(t)
  const slow = lock(stopped)
  await slow.take()
  const next = lock({ deadAfterMs: 500 })
  await next.take()
  // As if it were suspended for longer than it renews the lock.
  const { now } = performance
  const late = t.intercept(performance, 'now', { value: () => now.call(performance) + 2 * stopped.renewEveryMs })
  await t.rejects(slow.confirm(), /has begun to write to s3:\/\/here: run this again/)
  late.restore()
  await slow.release()
  await t.rejects(lock().requireFree(), /is being written/, 'the lock of the other one is not released')
  await next.confirm()
})

t.test('a process of this machine that was killed is known at once, by the file that it had locked', async (t) => {
  const { lock } = await givenBucket(t)
  const lockPath = join(t.testdir(), 'backup.lock')
  {
    using _file = lockFile(lockPath, 'exclusive')
    await lock({ ...stopped, lockPath }).take()
  }
  const long = { deadAfterMs: 3_600_000 }
  await lock({ ...long, lockPath }).requireFree()
  using _file = lockFile(lockPath, 'exclusive')
  await lock({ ...long, lockPath }).take()
})

t.test('an answer that is lost leaves no lock that its owner does not know', async (t) => {
  const { server, lock } = await givenBucket(t)
  const first = lock(stopped)
  server.plan({ kind: 'refuse', method: 'PUT' })
  await first.take()
  await first.confirm()
})

t.test('a store that ignores or refuses conditions is named, and used', async (t) => {
  for (const conditions of ['ignored', 'refused'] as const) {
    const { server, lock, notes } = await givenBucket(t)
    server.conditions = conditions
    const first = lock()
    await first.take()
    await first.release()
    const second = lock()
    await second.take()
    await second.confirm()
    const note = /does not know conditional writes: no other machine may write to it at the same time/
    t.match(notes, [note, note], conditions)
  }
})

t.test('a lock that is none is named', async (t) => {
  const { server, lock } = await givenBucket(t)
  const first = lock()
  await first.take()
  await first.release()
  const { objects } = server.buckets.find('backups')
  const [key = ''] = [...objects.keys()].filter((name) => name.endsWith('/backup.json'))
  for (const text of ['', '{"id":', '[]', '{}']) {
    objects.set(key, storedObject(Buffer.from(text), 'application/json'))
    const problem = /lock\/backup\.json in s3:\/\/here is not the lock of a backup: delete it/
    await t.rejects(lock().take(), problem)
    await t.rejects(lock().requireFree(), problem)
  }
})

t.test('a store that refuses every conditional write does not hold up a backup for ever', async (t) => {
  const { server, lock } = await givenBucket(t)
  server.conditions = 'never met'
  await t.rejects(lock().take(), /s3:\/\/here refuses to write its lock, although no other backup has it/)
})
