import { utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { runJanitor } from './run-janitor.ts'

t.test('a notifier whose clock is a day ahead deletes no file that was just written', async (t) => {
  await using testServices = await startBackingServices()
  const { services } = testServices
  const key = objectKeys.pdf(newId('pdf'), '0123456789abcdef')
  await services.objects.put(key, Buffer.from('%PDF-'), 'application/pdf')
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = new AbortController()
  let sweeps = 0
  const list = (category: string) => {
    // It has swept when it begins again.
    if (category === 'inputs' && ++sweeps === 2) resolve()
    return services.objects.list(category)
  }
  const objects = Object.assign(Object.create(null), { list, delete: services.objects.delete.bind(services.objects) })
  const Right = Date
  const ahead = (ms = Right.now() + 86_400_000) => new Right(ms)
  t.teardown(() => Object.assign(globalThis, { Date: Right }))
  globalThis.Date = new Proxy(Right, { construct: (_, [ms]) => ahead(ms as number | undefined) })
  const times = { commands: { everyMs: 1_000 }, objects: { firstAfterMs: 1, everyMs: 1 } }
  const sweeping = runJanitor({ ...services, objects }, stop.signal, times)
  await promise
  stop.abort()
  await sweeping
  t.ok(await services.objects.info(key))
})

t.test('one of several notifiers sweeps, again after a failure', async (t) => {
  const testServices = await startBackingServices()
  const { services, folder } = testServices
  let lists = 0
  const stop = new AbortController()
  const times = { commands: { everyMs: 1_000 }, objects: { firstAfterMs: 10, everyMs: 10 } }
  const list = (category: string) => {
    lists += 1
    if (lists === 1) throw new Error('the store has a hiccup')
    return services.objects.list(category)
  }
  const objects = Object.assign(Object.create(null), { list, delete: services.objects.delete.bind(services.objects) })
  const key = objectKeys.pdf(newId('pdf'), '0123456789abcdef')
  await services.objects.put(key, Buffer.from('%PDF-'), 'application/pdf')
  const twoHoursAgo = Date.now() / 1_000 - 7_200
  await utimes(join(folder, 'objects', key), twoHoursAgo, twoHoursAgo)
  const sweeping = ['one', 'two'].map((instance) => runJanitor({ ...services, objects, instance }, stop.signal, times))
  while (await services.objects.info(key)) await delay(10)
  stop.abort()
  await Promise.all(sweeping)
  t.ok(lists > 1)
  await testServices[Symbol.asyncDispose]()
})
