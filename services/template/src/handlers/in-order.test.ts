import { randomUUID } from 'node:crypto'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import type { DeliveredMessage } from '@platen/messaging/consume/delivered-message.ts'
import { startBackingServices } from '@platen/test-support/start-backing-services.ts'
import t from 'tap'
import { inOrder } from './in-order.ts'

const testServices = await startBackingServices()
t.teardown(() => testServices[Symbol.asyncDispose]())
const { bus } = testServices.services

t.test('a command that is delivered again does not wait for the later one that waits for it', async (t) => {
  const subject = commandSubjects.template(newId('tpl'))
  const send = async () => {
    const deadline = new Date(Date.now() + 3_600_000).toISOString()
    const metadata = { id: randomUUID(), time: new Date().toISOString(), correlation_id: 'req_1', deadline }
    const { seq } = await bus.js.publish(subject, JSON.stringify({ type: 'X', data: {}, metadata }))
    return { subject, seq, info: { stream: streams.commands, seq } } as DeliveredMessage
  }
  const handled: string[] = []
  let tries = 0
  const handle = inOrder<string>({ bus, now: Date.now, stopping: new AbortController().signal }, async (name, raw) => {
    if (++tries === 1) throw new Error('the store is away')
    await bus.jsm.streams.deleteMessage(streams.commands, raw.seq)
    handled.push(name)
  })
  const [one, two] = [await send(), await send()]
  await t.rejects(handle('one', one), { message: 'the store is away' })
  const later = handle('two', two)
  await handle('one', one)
  await later
  t.strictSame(handled, ['one', 'two'])
})
