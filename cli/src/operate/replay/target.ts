import { replayStream, streams } from '@platen/domain/streams/subjects.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { found } from '@platen/messaging/streams/streams.ts'
import { nanos, StorageType } from 'nats'
import { UsageError } from '../../frame/options.ts'

/** The target of a replay. `subject` ends with `.>` if each event has its own subject below it. */
export interface Target {
  stream: string
  subject: string
}

/** The stream that the services and all subscribers read. */
export const eventsTarget: Target = { stream: streams.events, subject: 'events.>' }

const keptMs = 7 * 24 * 3_600_000
const reserved = [streams.commands, streams.events, streams.deadLetters] as const
const subjectForm = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(\.>)?$/
const streamForm = /^[A-Za-z0-9_-]{1,100}$/

/**
 * Throws UsageError for subjects and streams of Platen: the services would handle events on `events.>` again and send
 * webhooks.
 */
export function checkTarget({ subject, stream }: { subject?: string | undefined; stream?: string | undefined }): void {
  if (subject !== undefined) {
    const [first = ''] = subject.split('.')
    if (!subjectForm.test(subject)) throw new UsageError('--to must be a subject such as audit.events or audit.>')
    if (reserved.some((name) => name.toLowerCase().replace('_', '-') === first) || /^(_INBOX|nats)/i.test(first)) {
      throw new UsageError(`--to must not be below ${first}.>, which belongs to Platen; choose another subject`)
    }
  }
  if (stream === undefined) return
  if (!streamForm.test(stream)) throw new UsageError('--stream must be the name of a stream: letters, digits, _ and -')
  if (reserved.some((name) => name === stream) || /^(KV|OBJ)_/.test(stream)) {
    throw new UsageError(`--stream must not be ${stream}, which is not for replays; choose another stream`)
  }
}

/** Finds the stream of the subject. Creates the given stream, or REPLAY if none is given, when it is missing. */
export async function openTarget(
  { jsm }: Bus,
  { id, subject, stream }: { id: string; subject?: string | undefined; stream?: string | undefined },
): Promise<Target> {
  if (subject === undefined && stream === undefined) {
    await ensureReplayStream(jsm, replayStream.name, replayStream.subject)
    return { stream: replayStream.name, subject: `replay.${id}.>` }
  }
  if (stream === undefined) {
    const known = await jsm.streams.find(subject ?? '').catch(() => undefined)
    if (known === undefined) {
      throw new Error(`no stream stores ${subject}; add --stream NAME to create one, or make it with your NATS tools`)
    }
    checkTarget({ stream: known })
    return { stream: known, subject: subject ?? '' }
  }
  const info = await found(jsm.streams.info(stream))
  const wanted = subject ?? info?.config.subjects[0] ?? `replay.${stream}.>`
  checkTarget({ subject: wanted })
  if (info === undefined) await ensureReplayStream(jsm, stream, wanted)
  else if (!info.config.subjects.some((pattern) => covers(pattern, wanted))) {
    throw new Error(`the stream ${stream} does not store ${wanted}; it stores ${info.config.subjects.join(', ')}`)
  }
  return { stream, subject: wanted }
}

async function ensureReplayStream(jsm: Bus['jsm'], name: string, subject: string): Promise<void> {
  if (await found(jsm.streams.info(name))) return
  await jsm.streams.add({
    name,
    subjects: [subject],
    storage: StorageType.File,
    allow_direct: true,
    max_age: nanos(keptMs),
    description: 'events that an operator published again with `platen replay`',
  })
}

/** Whether a subject, or every subject below one that ends with `.>`, matches the pattern of a stream. */
export function covers(pattern: string, subject: string): boolean {
  const wanted = subject.split('.')
  const parts = pattern.split('.')
  for (const [at, part] of parts.entries()) {
    if (part === '>') return wanted.length > at
    if (wanted[at] === undefined || wanted[at] === '>' || (part !== '*' && part !== wanted[at])) return false
  }
  return parts.length === wanted.length
}
