import { buckets } from '@platen/domain/streams/buckets.ts'
import { streamConfigs } from '@platen/domain/streams/stream-configs.ts'
import { consumers } from '@platen/domain/streams/subjects.ts'
import { streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { defineCommand, exitFound } from '../../frame/command.ts'
import { printRows } from '../../frame/table.ts'

interface Checked {
  what: string
  ok: boolean
  messages?: number
  bytes?: number
  pending?: number
  in_progress?: number
}

export const checkStreams = defineCommand({
  name: 'streams check',
  summary: 'look for the streams, consumers and buckets on NATS, and print what they hold',
  notes: ['Exits with 1 if one is missing; `streams setup` creates it.'],
  async run({ openBus, print }, { json }) {
    const { jsm } = await openBus()
    const all: Checked[] = []
    for (const { name } of streamConfigs) all.push(streamLine(`stream ${name}`, await found(jsm.streams.info(name))))
    for (const { stream, durable } of Object.values(consumers)) {
      const info = await found(jsm.consumers.info(stream, durable))
      const counts = info && { pending: info.num_pending, in_progress: info.num_ack_pending }
      all.push({ what: `consumer ${durable}`, ok: info !== undefined, ...counts })
    }
    for (const bucket of Object.values(buckets)) {
      all.push(streamLine(`bucket ${bucket.name}`, await found(jsm.streams.info(streamOfBucket(bucket)))))
    }
    printRows(all, { print, json, columns })
    return all.every(({ ok }) => ok) ? 0 : exitFound
  },
})

function streamLine(what: string, info: { state: { messages: number; bytes: number } } | undefined): Checked {
  return { what, ok: info !== undefined, ...(info && { messages: info.state.messages, bytes: info.state.bytes }) }
}

function columns({ what, ok, messages, bytes, pending, in_progress }: Checked): string[] {
  if (!ok) return [what, 'missing; run streams setup']
  const counts =
    messages === undefined ? `${pending} waiting, ${in_progress} in progress` : `${messages} messages, ${bytes} bytes`
  return [what, 'ok', counts]
}
