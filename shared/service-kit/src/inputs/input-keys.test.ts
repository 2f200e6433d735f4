import { resolvePdfOptions } from '@platen/domain/document/pdf-options.ts'
import { inputKeyRequests } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { openBus } from '@platen/messaging/connection/bus.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { requestInputKey, serveInputKeys } from './input-keys.ts'
import { KeptInputs, openKept } from './kept-inputs.ts'

const { services, nats, ...running } = await startBackingServices()
t.teardown(() => running[Symbol.asyncDispose]())
const { bus, objects, log } = services
const keptInputs = new KeptInputs({ bus, objects })
const input = { html: '<p>kept', options: resolvePdfOptions() }

async function keep() {
  const kept = await keptInputs.keep({
    generationId: newId('pdf'),
    ownerId: 'own_default',
    days: 1,
    input,
    options: {},
  })
  if (!kept) throw new Error('the input is not kept')
  const { object_key, proof } = kept
  return { object_key, proof }
}

t.test('the key of an input is handed out for its proof, until it is erased', async (t) => {
  using _serving = serveInputKeys(bus, { keyOf: (key) => keptInputs.keyOf(key), log })
  await using renderer = await openBus(nats, 'renderer', log)
  const [one, other] = [await keep(), await keep()]
  const key = await requestInputKey(renderer, one)
  t.strictSame((await openKept(objects, one.object_key, key ?? Buffer.alloc(0)))?.input, input)
  const wrong = {
    'the proof of another one': { ...one, proof: other.proof },
    'no proof': { ...one, proof: '' },
    'a longer one': { ...one, proof: `${one.proof}x` },
    'another object of the generation': {
      ...one,
      object_key: one.object_key.replace(/\.[0-9a-f]{16}\./, '.0123456789abcdef.'),
    },
    'a path': { ...one, object_key: '../x' },
  }
  for (const [what, at] of Object.entries(wrong)) t.equal(await requestInputKey(renderer, at), undefined, what)
  await keptInputs.eraseKey(one.object_key.replace(/^inputs\/(.+?)\..*/, '$1'))
  t.equal(await requestInputKey(renderer, one), undefined, 'it is erased')
  t.ok(await requestInputKey(renderer, other))
})

t.test('what is no request is not answered, and the next one is', async (t) => {
  const warned: string[] = []
  const warn = (...told: unknown[]) => void warned.push(String(told[1]))
  using _serving = serveInputKeys(bus, { keyOf: (key) => keptInputs.keyOf(key), log: { warn } })
  const large = JSON.stringify({ object_key: 'x'.repeat(2_000), proof: 'x' })
  for (const text of ['', '{', '{"object_key":1}', large])
    bus.nats.publish(inputKeyRequests.subject, text, { reply: '_INBOX.x' })
  t.ok(await requestInputKey(bus, await keep()))
  t.same(warned, [], 'nor are they in the log')
})

t.test('without a gateway the caller is told to try again', async (t) => {
  await t.rejects(requestInputKey(bus, await keep()), { name: 'BusUnavailable' })
})

t.test('a key is sent to an inbox only, as NATS does not check for what subject a reply is asked for', async (t) => {
  using _serving = serveInputKeys(bus, { keyOf: (key) => keptInputs.keyOf(key), log })
  const [one, other] = [await keep(), await keep()]
  const [, id = ''] = /^inputs\/(.+?)\./.exec(other.object_key) ?? []
  bus.nats.publish(inputKeyRequests.subject, JSON.stringify(one), { reply: `$KV.INPUT_KEYS.${id}` })
  t.ok(await requestInputKey(bus, one), 'the gateway has read both requests')
  await bus.nats.flush()
  t.ok(await requestInputKey(bus, other), 'the other key is as it was')
})
