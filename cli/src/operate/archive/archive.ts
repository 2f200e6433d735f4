import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { archiveLog } from '@platen/event-store/archive/archive-log.ts'
import { listSegments, readSegment } from '@platen/event-store/archive/read-archive.ts'
import type { Segment } from '@platen/event-store/archive/segment.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import { type Command, countOption, jsonOption, noArguments, parseOptions, UsageError } from '../../frame/command.ts'

const dayMs = 24 * 3_600_000

export const archive: Command = {
  synopsis: '[--older-than DAYS] [--through POSITION] [--segment-events N] [--json]',
  summary: 'copy the log to the object store, from the last archived event on',
  details: [
    '--older-than       only events of that age',
    '--through          only events up to this position, as it was printed',
    '--segment-events   events in a segment (100000); it also ends after 64 MiB',
    '--json             print the manifests of the segments',
  ],
  async run({ openStore, openObjects, args, print, note, signal }) {
    const { values, positionals } = parseOptions(args, {
      'older-than': { type: 'string' },
      through: { type: 'string' },
      'segment-events': { type: 'string' },
      ...jsonOption,
    })
    noArguments(positionals)
    const days = countOption('--older-than', values['older-than'])
    const options = {
      before: days === undefined ? undefined : new Date(Date.now() - days * dayMs),
      through: values.through as Position | undefined,
      segmentEvents: countOption('--segment-events', values['segment-events']),
      signal,
    }
    let events = 0
    for await (const segment of archiveLog({
      store: await openStore(),
      objects: await openObjects(),
      categories: [...knownCategories],
      ...options,
    })) {
      print(values.json ? JSON.stringify(segment) : lineOf(segment))
      events += segment.events
    }
    if (events === 0) note('nothing to archive')
  },
}

export const listArchive: Command = {
  synopsis: '[--json]',
  summary: 'list the segments of the archive; --json prints their manifests',
  async run({ openObjects, args, print }) {
    const { values } = parseOptions(args, jsonOption)
    for (const segment of await listSegments(await openObjects())) {
      print(values.json ? JSON.stringify(segment) : lineOf(segment))
    }
  },
}

export const readArchive: Command = {
  synopsis: '[--epoch EPOCH] [--category NAME]… [--stream NAME] [--json]',
  summary:
    'print the archived events as JSON lines (also without --json), after the SHA-256 of each segment was verified',
  async run({ openObjects, args, print, signal }) {
    const { values } = parseOptions(args, {
      epoch: { type: 'string' },
      category: { type: 'string', multiple: true },
      stream: { type: 'string' },
      ...jsonOption,
    })
    const { category, stream } = values
    const objects = await openObjects()
    for (const segment of ofOneStore(await listSegments(objects), values.epoch)) {
      for (const line of await readSegment(objects, segment)) {
        if (signal.aborted) return
        if (isWanted(line, { category, stream })) print(line)
      }
    }
  },
}

/** Positions and revisions of two event stores must not be mixed. */
function ofOneStore(segments: Segment[], epoch: string | undefined): Segment[] {
  const epochs = [...new Set(segments.map((segment) => segment.epoch))]
  if (epoch === undefined && epochs.length > 1) {
    throw new UsageError(`the archive has ${epochs.length} event stores; choose one with --epoch: ${epochs.join(', ')}`)
  }
  if (epoch !== undefined && !epochs.includes(epoch)) throw new Error(`the archive has no event store ${epoch}`)
  return segments.filter((segment) => epoch === undefined || segment.epoch === epoch)
}

function isWanted(
  line: string,
  { category, stream }: { category?: string[] | undefined; stream?: string | undefined },
) {
  if (category === undefined && stream === undefined) return true
  const name: string = JSON.parse(line).stream
  return (category?.includes(categoryOf(name)) ?? true) && (stream === undefined || name === stream)
}

function lineOf({ epoch, number, events, first_recorded_at, last_recorded_at, bytes, through }: Segment): string {
  return [
    epoch,
    number,
    `${events} events`,
    `${first_recorded_at} to ${last_recorded_at}`,
    `${bytes} bytes`,
    through,
  ].join('  ')
}
