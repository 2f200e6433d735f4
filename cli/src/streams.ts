import { setUpStreams } from '@platen/shared/messaging/streams/set-up-streams.ts'
import { type Command, parseOptions, UsageError } from './command.ts'

export const setUp: Command = {
  synopsis: '[--replicas N]',
  summary: 'create or update the streams, consumers and buckets on NATS',
  async run({ openBus, args, print }) {
    const { values } = parseOptions(args, { replicas: { type: 'string' } })
    const { replicas } = values
    if (replicas !== undefined && !/^[1-5]$/.test(replicas))
      throw new UsageError('--replicas must be a number from 1 to 5')
    const options = replicas === undefined ? {} : { replicas: Number(replicas) }
    for await (const { what, change } of setUpStreams(await openBus(), options)) print(`${change.padEnd(9)}  ${what}`)
  },
}
