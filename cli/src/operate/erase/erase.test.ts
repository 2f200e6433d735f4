import { randomUUID } from 'node:crypto'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { itemGenerationId } from '@platen/domain/batch/batch.ts'
import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { objectCategories } from '@platen/domain/streams/object-categories.ts'
import { setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { openEventStore } from '@platen/event-store/adapters/open-event-store.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { createLogger } from '@platen/foundation/runtime/logger.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { openObjectStore } from '@platen/object-store/adapters/open-object-store.ts'
import { ItemWriter } from '@platen/service-kit/inputs/stored-items.ts'
import { startNatsServer } from '@platen/test-support/nats-server.ts'
import t, { type Test } from 'tap'
import { jsonLines, runCli } from '../../testing/run-cli.ts'

const deployedNats = fileURLToPath(new URL('../../../../deploy/nats', import.meta.url))
const passwords = {
  OPERATORS_PASSWORD: 'p-operators',
  NATS_PASSWORD: 'p-services',
  NATS_RENDERER_PASSWORD: 'p-renderer',
  SUBSCRIBER_PASSWORD: 'p-sub',
}

/** The accounts of a deployment, in which the services may not remove dead letters. */
async function olderAccounts(folder: string): Promise<string> {
  await cp(deployedNats, folder, { recursive: true })
  const path = join(folder, 'accounts.conf')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"$JS.API.STREAM.MSG.DELETE.DEAD_LETTERS",', ''))
  return path
}

async function openStores(t: Test) {
  const folder = t.testdir({})
  const urls = { EVENT_STORE_URL: `sqlite:${folder}/events.db`, OBJECT_STORE_URL: `file:${folder}/objects` }
  const store = await openEventStore(urls.EVENT_STORE_URL)
  t.teardown(() => store.close())
  const objects = await openObjectStore(urls.OBJECT_STORE_URL, { categories: objectCategories })
  t.teardown(() => objects.close())
  return { folder, urls, store, objects }
}

t.test(
  'an erasure that fails midway prints the receipt of what it has deleted, and a second run ends it',
  async (t) => {
    await using nats = await startNatsServer(['-c', await olderAccounts(t.testdir({}))], passwords)
    const operators = { url: nats.url, user: 'operators', password: passwords.OPERATORS_PASSWORD }
    await using bus = await openBus(operators, 'test', createLogger('test', 'silent'))
    for await (const _ of setUpStreams(bus));
    const { folder, urls, store, objects } = await openStores(t)

    const ids = [newId('pdf'), newId('pdf'), newId('pdf')] as const
    for (const id of ids) {
      const object_key = `pdfs/${id}.0123456789abcdef.pdf`
      await objects.put(object_key, Buffer.from('%PDF-'), 'application/pdf')
      const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
      const metadata = { data_subject: 'ann' }
      const requested = event('GenerationRequested', { owner_id: 'own_default', api_key_id: 'key_1', metadata })
      const engine = { name: 'e', version: '1', mode: 'static' }
      const file = { object_key, pages: 1, size: 5, sha256: 'ab', duration_ms: 1, engine, warnings: [] }
      await store.append(`generation-${id}`, [requested, event('GenerationCompleted', file)], 'none')
    }
    // The user of these services may not remove it.
    await bus.js.publish(`dead-letters.commands.render.batch.own_default.${ids[1]}`, '{}')
    const erase = (user: { user: string; password: string }, ...args: string[]) => {
      const env = { ...urls, NATS_URL: nats.url, NATS_USER: user.user, NATS_PASSWORD: user.password }
      return runCli(env, ['erase', '--data-subject', 'ann', '--json', ...args])
    }
    const path = join(folder, 'receipt.json')
    const failed = await erase({ user: 'services', password: passwords.NATS_PASSWORD }, '--receipt', path)
    t.match(failed, { code: 1, stderr: /not all was erased and recorded: .*ermission.*; run the command again/ })
    const { generations } = JSON.parse(failed.stdout)
    const keyOf = (id: string) => `pdfs/${id}.0123456789abcdef.pdf`
    t.strictSame(generations, [
      {
        generation_id: ids[0],
        owner_id: 'own_default',
        objects: [{ key: keyOf(ids[0]), size: 5 }],
        dead_letters: 0,
        sha256: 'ab',
      },
      {
        generation_id: ids[1],
        owner_id: 'own_default',
        objects: [{ key: keyOf(ids[1]), size: 5 }],
        dead_letters: null,
        sha256: 'ab',
      },
    ])
    t.equal(await readFile(path, 'utf8'), failed.stdout)
    const left = async () => Promise.all(ids.map(async (id) => (await objects.info(keyOf(id))) !== undefined))
    t.strictSame(await left(), [false, false, true])
    const erasedOf = async () => {
      const recorded = await runCli(urls, ['events', '--type', 'ContentErased'])
      return jsonLines(recorded).map(({ stream }) => stream.replace('generation-', ''))
    }
    t.strictSame(await erasedOf(), [ids[0]], 'the second one is not recorded as erased')

    const nowhere = join(folder, 'missing/receipt.json')
    const again = await erase(operators, '--receipt', nowhere)
    t.match(again, { code: 1, stderr: 'ENOENT' }, 'its file cannot be written')
    t.match(JSON.parse(again.stdout).generations, [
      { generation_id: ids[0], objects: [] },
      { generation_id: ids[1], objects: [], dead_letters: 1 },
      { generation_id: ids[2], objects: [{ size: 5 }] },
    ])
    t.strictSame(await left(), [false, false, false])
    t.strictSame(new Set(await erasedOf()), new Set(ids))
  },
)

t.test('an item of a batch is erased when the batch has ended, and the others are left', async (t) => {
  await using nats = await startNatsServer()
  await using bus = await openBus({ url: nats.url }, 'test', createLogger('test', 'silent'))
  for await (const _ of setUpStreams(bus));
  const { urls, store, objects } = await openStores(t)
  const event = (type: string, data: object) => ({ id: randomUUID(), type, data: { ...data } })
  const of = { owner_id: 'own_default', api_key_id: 'key_1' }
  const batch = newId('bat')
  const writer = new ItemWriter(objects, batch)
  const ids = [1, 2, 3].map((index) => itemGenerationId(batch, index))
  for (const [at, id] of ids.entries()) {
    await writer.add({ index: at + 1, request: {}, input: { html: `<p>${at + 1}`, options: resolvePdfOptions() } })
    const requested = event('GenerationRequested', { ...of, batch: { id: batch, index: at + 1 } })
    await store.append(`generation-${id}`, [requested, event('GenerationFailed', { code: 'x', message: 'x' })], 'none')
  }
  await store.append(`batch-${batch}`, [event('BatchCreated', { ...of, total: 3, input: await writer.end() })], 'none')
  const platen = (...args: string[]) => runCli({ ...urls, NATS_URL: nats.url }, args)
  const erase = (...args: string[]) => platen('erase', ...args, '--json')
  const [one = '', two = '', three = ''] = ids
  t.match(await erase(one), { code: 1, stderr: /has not ended; cancel it, or wait. Nothing was deleted/ })
  const counts = { status: 'completed', completed: 0, failed: 3, cancelled: 0 }
  await store.append(`batch-${batch}`, [event('BatchEnded', counts)], 0)
  const key = `inputs/${batch}.0`
  const size = (await objects.info(key))?.size
  t.match(JSON.parse((await erase(one, '--dry-run')).stdout).generations, [{ objects: [{ key, size }] }])
  t.ok(await objects.info(key))
  const { generations } = JSON.parse((await erase(one, two)).stdout)
  t.match(generations, [{ objects: [{ key, size }] }, { objects: [{ key: new RegExp(`^${key}\\.[0-9a-f]{16}$`) }] }])
  t.equal(await objects.info(key), undefined)
  for (const id of [one, two]) t.match(await platen('generations', 'retry', id), { code: 1, stderr: /was erased/ })
  t.match(await platen('generations', 'retry', three), { code: 0, stdout: /is rendered again as/ })
})
