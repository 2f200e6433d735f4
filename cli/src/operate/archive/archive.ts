import { knownCategories } from '@platen/domain/catalogue/event-catalogue.ts'
import { archiveLog, type PlannedSegment, planArchive } from '@platen/event-store/archive/archive-log.ts'
import { listSegments, readSegment } from '@platen/event-store/archive/read-archive.ts'
import type { Segment } from '@platen/event-store/archive/segment.ts'
import type { Position } from '@platen/event-store/event-store.ts'
import { categoryOf } from '@platen/event-store/stream-name.ts'
import { parseExact, stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { withoutTokens } from '@platen/service-kit/trace/without-tokens.ts'
import { defineCommand } from '../../frame/command.ts'
import {
  count,
  dryRun,
  duration,
  isWithin,
  last,
  newest,
  type Range,
  range,
  time,
  UsageError,
} from '../../frame/options.ts'
import { tokens } from '../../frame/webhook-tokens.ts'

export const archive = defineCommand({
  name: 'archive',
  summary:
    'copy the log to the object store, after the last archived event; --json prints the manifests of the segments',
  options: {
    'older-than': duration('only events that are older'),
    through: { value: 'POSITION', about: 'only events up to this position, as it was printed' },
    'segment-events': count('events in a segment (100000); it also ends after 64 MiB'),
    ...dryRun,
  },
  async run({ openLog, openObjects, print, note, signal }, { json, through, 'dry-run': isDryRun, ...values }) {
    const age = values['older-than']
    const options = {
      store: await openLog(),
      objects: await openObjects(),
      categories: [...knownCategories],
      before: age === undefined ? undefined : new Date(Date.now() - age),
      through: through as Position | undefined,
      segmentEvents: values['segment-events'],
      signal,
    }
    let events = 0
    for await (const segment of isDryRun ? planArchive(options) : archiveLog(options)) {
      if (json) print(JSON.stringify(isDryRun ? { ...segment, dry_run: true } : segment))
      else print(isDryRun ? `${lineOf(segment)}  would be archived` : lineOf(segment))
      events += segment.events
    }
    if (events === 0) note('nothing to archive')
  },
})

export const listArchive = defineCommand({
  name: 'archive list',
  summary: 'list the segments of the archive; --json prints their manifests',
  options: {
    since: time('with events that were recorded at this time or later'),
    until: time('with events that were recorded before this time'),
    ...last,
  },
  async run({ openObjects, print }, { json, since, until, last: count }) {
    const segments = (await listSegments(await openObjects())).filter(
      ({ first_recorded_at, last_recorded_at }) =>
        isWithin({ since }, last_recorded_at) && isWithin({ until }, first_recorded_at),
    )
    for (const segment of newest(segments, count)) {
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
    ...range('recorded'),
    ...tokens,
  },
  async run({ openObjects, print, signal }, { epoch, last: count, tokens, ...wanted }) {
    const objects = await openObjects()
    const shown = (line: string) => (tokens ? line : lineWithoutTokens(line))
    let kept: string[] = []
    for (const segment of ofOneStore(await listSegments(objects), epoch)) {
      for (const line of await readSegment(objects, segment)) {
        if (signal.aborted) return
        if (!isWanted(line, wanted)) continue
        if (count === undefined) print(shown(line))
        else kept.push(line)
      }
      kept = newest(kept, count)
    }
    for (const line of kept) print(shown(line))
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

interface Wanted extends Range {
  category?: string[] | undefined
  stream?: string | undefined
}

function isWanted(line: string, { category, stream, ...times }: Wanted): boolean {
  if (![category, stream, times.since, times.until].some((given) => given !== undefined)) return true
  const event: { stream: string; recorded_at: string } = JSON.parse(line)
  const isInStream =
    (category?.includes(categoryOf(event.stream)) ?? true) && [undefined, event.stream].includes(stream)
  return isInStream && isWithin(times, event.recorded_at)
}

/** The line itself, unless it has a token. */
function lineWithoutTokens(line: string): string {
  const event = parseExact(line) as { stream: string; data: unknown; metadata: object }
  const shown = withoutTokens(event)
  const isWhole = shown.data === event.data && shown.metadata === event.metadata
  return isWhole ? line : stringifyExact(shown)
}

function lineOf({ epoch, number, events, through, ...segment }: Segment | PlannedSegment): string {
  return [
    epoch,
    number,
    `${events} events`,
    `${segment.first_recorded_at} to ${segment.last_recorded_at}`,
    ...('bytes' in segment ? [`${segment.bytes} bytes`] : []),
    through,
  ].join('  ')
}
