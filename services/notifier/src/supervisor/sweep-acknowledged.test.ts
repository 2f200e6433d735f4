import { consumers } from '@platen/domain/streams/subjects.ts'
import { withAcknowledged } from '@platen/test-support/acknowledged-commands.ts'
import { recordingLog } from '@platen/test-support/recording-log.ts'
import t from 'tap'
import { type Fate, sweepAcknowledged } from './sweep-acknowledged.ts'

t.test('acknowledged commands that are still in the stream are removed, or sent again if they are lost', async (t) => {
  const subject = (id: string) => `commands.render.batch.own_x.${id}`
  const commands = ['one', 'two', 'three', 'four', 'five'].map((id) => ({
    consumer: consumers.batch,
    subject: subject(id),
    payload: id,
  }))
  await withAcknowledged(commands, async (bus) => {
    const left = async () => (await bus.jsm.streams.info('COMMANDS', { subjects_filter: '>' })).state.subjects
    t.equal(Object.keys((await left()) ?? {}).length, 5)
    const { log, text } = recordingLog()
    // The fifth is being acknowledged: its record appears a moment later.
    const fates: Record<string, Fate[]> = {
      one: ['done'],
      two: ['lost', 'lost'],
      three: ['leave'],
      four: ['done'],
      five: ['lost', 'done'],
    }
    const fateOf = ({ data }: { data: Uint8Array }) => fates[Buffer.from(data).toString()]?.shift() ?? 'leave'
    const stopping = new AbortController().signal
    const sweep = () => sweepAcknowledged({ bus, consumer: consumers.batch, fateOf, confirmAfterMs: 10, log, stopping })
    await sweep()
    t.strictSame(await left(), { [subject('two')]: 1, [subject('three')]: 1, [subject('five')]: 1 })
    t.match(text(), /"removed":2,"sent_again":1/)
    const consumer = await bus.js.consumers.get('COMMANDS', 'render-batch')
    const again = await consumer.next({ expires: 10_000 })
    t.equal(again?.string(), 'two')
    await again?.ackAck()
    await sweep()
    t.strictSame(await left(), { [subject('three')]: 1, [subject('five')]: 1 })
  })
})
