import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { archiveLog } from '@platen/event-store/archive/archive-log.ts'
import { listSegments, readSegment } from '@platen/event-store/archive/read-archive.ts'
import type { Segment } from '@platen/event-store/archive/segment.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import { defineCommand } from '../../frame/command.ts'
import { count, duration, UsageError } from '../../frame/options.ts'

export const archive = defineCommand({
  name: 'archive',
  summary:
    'copy the log to the object store, from the last archived event on; --json prints the manifests of the segments',
  options: {
    'older-than': duration('only events of that age'),
    through: { value: 'POSITION', about: 'only events up to this position, as it was printed' },
    'segment-events': count('events in a segment (100000); it also ends after 64 MiB'),
  },
  async run({ openLog, openObjects, print, note, signal }, { json, through, ...values }) {
    const age = values['older-than']
    const options = {
      before: age === undefined ? undefined : new Date(Date.now() - age),
      through: through as Position | undefined,
      segmentEvents: values['segment-events'],
      signal,
    }
    let events = 0
    for await (const segment of archiveLog({
      store: await openLog(),
      objects: await openObjects(),
      categories: [...knownCategories],
      ...options,
    })) {
      print(json ? JSON.stringify(segment) : lineOf(segment))
      events += segment.events
    }
    if (events === 0) note('nothing to archive')
  },
})

export const listArchive = defineCommand({
  name: 'archive list',
  summary: 'list the segments of the archive; --json prints their manifests',
  async run({ openObjects, print }, { json }) {
    for (const segment of await listSegments(await openObjects())) {
      print(json ? JSON.stringify(segment) : lineOf(segment))
    }
  },
})

export const readArchive = defineCommand({
  name: 'archive read',
  summary:
    'print the archived events as JSON lines (also without --json), after the SHA-256 of each segment was verified',
  options: {
    epoch: { value: 'EPOCH', about: 'of this event store, if the archive has several' },
    category: { value: 'NAME', about: 'only events of this category', multiple: true },
    stream: { value: 'NAME', about: 'only events of this stream' },
  },
  async run({ openObjects, print, signal }, { epoch, category, stream }) {
    const objects = await openObjects()
    for (const segment of ofOneStore(await listSegments(objects), epoch)) {
      for (const line of await readSegment(objects, segment)) {
        if (signal.aborted) return
        if (isWanted(line, { category, stream })) print(line)
      }
    }
  },
})

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
