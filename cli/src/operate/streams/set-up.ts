import { setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { defineCommand } from '../../frame/command.ts'
import { UsageError } from '../../frame/options.ts'

export const setUp = defineCommand({
  name: 'streams setup',
  summary: 'create or update the streams, consumers and buckets on NATS',
  options: {
    replicas: { value: 'N', about: 'of each in a NATS cluster, from 1 to 5', read: readReplicas },
    'events-max-mb': { value: 'N', about: 'the size limit of EVENTS in MiB', read: readMegabytes },
  },
  async run({ openBus, print }, { replicas, 'events-max-mb': eventsMaxMb, json }) {
    const options = { ...(replicas !== undefined && { replicas }), ...(eventsMaxMb !== undefined && { eventsMaxMb }) }
    for await (const { what, change } of setUpStreams(await openBus(), options))
      print(json ? JSON.stringify({ what, change }) : `${change.padEnd(9)}  ${what}`)
  },
})

function readReplicas(text: string, option: string): number {
  if (!/^[1-5]$/.test(text)) throw new UsageError(`${option} must be a number from 1 to 5`)
  return Number(text)
}

function readMegabytes(text: string, option: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UsageError(`${option} must be a number of MiB`)
  return Number(text)
}
