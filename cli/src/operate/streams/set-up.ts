import { setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { type Command, jsonOption, parseOptions, UsageError } from '../../frame/command.ts'

export const setUp: Command = {
  synopsis: '[--replicas N] [--events-max-mb N] [--json]',
  summary: 'create or update the streams, consumers and buckets on NATS',
  async run({ openBus, args, print }) {
    const { values } = parseOptions(args, {
      replicas: { type: 'string' },
      'events-max-mb': { type: 'string' },
      ...jsonOption,
    })
    const { replicas, 'events-max-mb': eventsMaxMb } = values
    if (replicas !== undefined && !/^[1-5]$/.test(replicas))
      throw new UsageError('--replicas must be a number from 1 to 5')
    if (eventsMaxMb !== undefined && !/^[1-9]\d{0,7}$/.test(eventsMaxMb))
      throw new UsageError('--events-max-mb must be a number of MiB')
    const options = {
      ...(replicas !== undefined && { replicas: Number(replicas) }),
      ...(eventsMaxMb !== undefined && { eventsMaxMb: Number(eventsMaxMb) }),
    }
    for await (const { what, change } of setUpStreams(await openBus(), options))
      print(values.json ? JSON.stringify({ what, change }) : `${change.padEnd(9)}  ${what}`)
  },
}
