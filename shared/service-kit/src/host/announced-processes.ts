import { buckets } from '@platen/domain/streams/buckets.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { toldTime } from '@platen/messaging/connection/server-clock.ts'
import { streamOfBucket } from '@platen/messaging/key-value/bucket.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { type Announcement, announceEveryMs, readAnnouncement } from './announcement.ts'

/** `started_at` is by the clock of NATS, like `seen_at`, because clocks of hosts may differ. */
export interface AnnouncedProcess extends Announcement {
  /** When it has last given a sign, by the clock of NATS. RFC 3339. */
  seen_at: string
  seen_s: number
  /** Whether its heartbeat is overdue: it was killed, hangs, or does not reach NATS. */
  silent: boolean
}

/** Two signs may be lost. */
const silentAfterS = (3 * announceEveryMs + 1_000) / 1_000
/** More are not shown. */
const mostProcesses = 500

const stream = streamOfBucket(buckets.processes)

/**
 * The running processes, and those of the last day that ended without removing their record, unless others have
 * replaced them. Unreadable records are left out. Needs only the rights of the services. Undefined if nothing was ever
 * announced here.
 */
export async function announcedProcesses({ queries }: Pick<Bus, 'queries'>): Promise<AnnouncedProcess[] | undefined> {
  const info = await found(queries.streams.info(stream, { subjects_filter: '>' }))
  if (!info) return undefined
  const now = toldTime(info)
  const subjects = Object.keys(info.state.subjects ?? {})
  const isMany = subjects.length > mostProcesses
  const { first_seq, last_seq } = info.state
  const newest = Array.from({ length: Math.min(mostProcesses, last_seq - first_seq + 1) }, (_, at) => last_seq - at)
  // The last message of a stopped process is kept for a day. That of a running one is among the newest.
  const wanted = isMany ? newest.map((seq) => ({ seq })) : subjects.map((subject) => ({ last_by_subj: subject }))
  const read = wanted.map(async (which) => {
    const message = await found(queries.streams.getMessage(stream, which))
    if (!message || message.data.length === 0) return []
    const announcement = readAnnouncement(message.string())
    if (!announcement) return []
    const seenMs = message.time.getTime()
    const seenS = Math.max(0, (now - seenMs) / 1_000)
    const { up_s } = announcement
    return [
      {
        ...announcement,
        ...(up_s !== undefined && { started_at: new Date(seenMs - up_s * 1_000).toISOString() }),
        seen_at: message.time.toISOString(),
        seen_s: seenS,
        silent: seenS > silentAfterS,
      },
    ]
  })
  return withoutReplaced((await Promise.all(read)).flat()).sort(
    (one, other) => one.program.localeCompare(other.program) || one.started_at.localeCompare(other.started_at),
  )
}

/**
 * A process that was started after the last sign of another one takes its place, first on the same host. It does so too if it was
 * killed itself: of a process that is killed again and again, the last one is shown.
 */
export function withoutReplaced(all: readonly AnnouncedProcess[]): AnnouncedProcess[] {
  const successors = new Set([...all].sort((one, other) => (one.started_at < other.started_at ? -1 : 1)))
  // Silent processes are matched newest first, because the newest has the fewest possible successors.
  const silent = all.filter((it) => it.silent).sort((one, other) => (one.seen_at > other.seen_at ? -1 : 1))
  const replaced = new Set<AnnouncedProcess>()
  for (const sameHost of [true, false]) {
    for (const gone of silent.filter((it) => !replaced.has(it))) {
      const successor = [...successors].find(
        ({ program, host, started_at }) =>
          program === gone.program && started_at > gone.seen_at && (!sameHost || host === gone.host),
      )
      if (!successor) continue
      successors.delete(successor)
      replaced.add(gone)
    }
  }
  return all.filter((it) => !replaced.has(it))
}
