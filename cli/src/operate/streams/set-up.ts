import { answerWithinMs, setUpStreams } from '@platen/domain/streams/set-up-streams.ts'
import { defineCommand } from '../../frame/command.ts'
import { dryRun, UsageError } from '../../frame/options.ts'

export const setUp = defineCommand({
  name: 'streams setup',
  summary: 'create or update the streams, consumers and buckets on NATS',
  options: {
    replicas: { value: 'N', about: 'of each in a NATS cluster, from 1 to 5', read: readReplicas },
    'events-max-mb': { value: 'N', about: 'the size limit of EVENTS in MiB', read: readMegabytes },
    ...dryRun,
  },
  notes: ['A dry run does not find out whether the NATS user may make the changes, and NATS has the storage.'],
  async run({ openBus, print, note }, { replicas, 'events-max-mb': eventsMaxMb, 'dry-run': isDryRun, json }) {
    const onUnanswered = (what: string, { message }: Error) =>
      note(`${what}: ${message}; trying again for ${answerWithinMs / 1_000} s`)
    const options = { replicas, eventsMaxMb, dryRun: isDryRun, onUnanswered }
    for await (const { what, change } of setUpStreams(await openBus(), options)) {
      const record = { what, change, ...(isDryRun && { dry_run: true }) }
      print(json ? JSON.stringify(record) : lineOf(what, change, isDryRun))
    }
  },
})

/** A line of the output of `streams setup` and `eventstore setup`. */
export function lineOf(what: string, change: string, isDryRun: boolean): string {
  const told = isDryRun && change !== 'unchanged' ? `would be ${change}` : change
  return `${told.padEnd(isDryRun ? 16 : 9)}  ${what}`
}

function readReplicas(text: string, option: string): number {
  if (!/^[1-5]$/.test(text)) throw new UsageError(`${option} must be a number from 1 to 5`)
  return Number(text)
}

function readMegabytes(text: string, option: string): number {
  if (!/^[1-9]\d{0,7}$/.test(text)) throw new UsageError(`${option} must be a number of MiB`)
  return Number(text)
}
