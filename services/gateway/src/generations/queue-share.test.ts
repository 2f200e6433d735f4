import { setTimeout as delay } from 'node:timers/promises'
import { createOwner } from '@platen/domain/owner/owners.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import { callGateway, startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import t from 'tap'

const gateway = await startTestGateway({ maxQueued: 200 })
t.teardown(() => gateway[Symbol.asyncDispose]())
// Nothing is printed.
await gateway.renderer[Symbol.asyncDispose]()
const { store, bus } = gateway.services

/** An API key of a new owner. */
async function newKey(ownerId?: string) {
  const owner = ownerId ?? (await createOwner(store, 'Owner', operatorMetadata()))
  return { owner, key: await gateway.issueKeyOf(owner) }
}

const post = (url: string, { key }: { key: string }) =>
  callGateway(url, 'POST', '/v1/generate', { key, body: { html: 'x', async: true } })

/** Queues documents at the gateways in turn, until each refuses them. Resolves to how many were accepted. */
async function fill(urls: readonly string[], key: { key: string }): Promise<number> {
  let accepted = 0
  for (let refused = 0, at = 0; refused < 3 * urls.length; at++) {
    const { status, body } = await post(urls[at % urls.length] ?? '', key)
    if (status === 202) {
      accepted++
      refused = 0
      continue
    }
    t.match(body.error, { code: 'QUEUE_FULL', message: /^This owner has its share/ })
    // A count may have twice what was added meanwhile, until the next one.
    await delay(400)
    refused++
  }
  return accepted
}

t.test('an owner has its share of the queue, also after a restart and at several gateways', async (t) => {
  const [greedy, modest] = [await newKey(), await newKey()]
  const another = await newKey(greedy.owner)
  t.equal(await fill([gateway.url], greedy), 180)
  await using restarted = await gateway.startAnother()
  const urls = [gateway.url, restarted.url]
  const more = await fill([restarted.url], greedy)
  t.equal(more, 8, 'the first documents of a key, for all that this gateway knows')
  for (const url of urls) {
    t.equal((await post(url, another)).status, 202, 'another key of the owner has room')
    t.equal((await post(url, modest)).status, 202, 'so has another owner')
  }
  await bus.jsm.streams.purge(streams.commands)
  const accepted = await fill(urls, greedy)
  // A gateway knows at least the half that it has queued itself: 95 is nine times what is free then.
  t.ok(accepted >= 180 && accepted <= 190, `${accepted} of 200`)
  for (const url of urls) t.equal((await post(url, modest)).status, 202)
})
