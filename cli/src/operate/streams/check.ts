import { buckets } from '@platen/domain/streams/buckets.ts'
import { streamConfigs } from '@platen/domain/streams/stream-configs.ts'
import { consumers } from '@platen/domain/streams/subjects.ts'
import { streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { type Command, exitFound, jsonOption, noArguments, parseOptions } from '../../frame/command.ts'
import { alignColumns } from '../../frame/table.ts'

interface Checked {
  what: string
  ok: boolean
  messages?: number
  bytes?: number
  pending?: number
  in_progress?: number
}

export const checkStreams: Command = {
  synopsis: '[--json]',
  summary: 'look for the streams, consumers and buckets on NATS, and print what they hold',
  details: ['Exits with 1 if one is missing; `streams setup` creates it.'],
  async run({ openBus, args, print }) {
    const { values, positionals } = parseOptions(args, jsonOption)
    noArguments(positionals)
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
    if (values.json) for (const one of all) print(JSON.stringify(one))
    else for (const line of alignColumns(all.map(columns))) print(line)
    if (all.some(({ ok }) => !ok)) return exitFound
  },
}

function streamLine(what: string, info: { state: { messages: number; bytes: number } } | undefined): Checked {
  return { what, ok: info !== undefined, ...(info && { messages: info.state.messages, bytes: info.state.bytes }) }
}

function columns({ what, ok, messages, bytes, pending, in_progress }: Checked): string[] {
  if (!ok) return [what, 'missing; run streams setup']
  const counts =
    messages === undefined ? `${pending} waiting, ${in_progress} in progress` : `${messages} messages, ${bytes} bytes`
  return [what, 'ok', counts]
}
