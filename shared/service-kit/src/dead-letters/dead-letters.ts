import { describedSteps } from '@platen/domain/document/described-steps.ts'
import { redactAll, redactUrls } from '@platen/domain/events/redact.ts'
import type { RenderInput } from '@platen/domain/generation/generation.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { asBusUnavailable } from '@platen/messaging/connection/bus-unavailable.ts'
import { isIntact } from '@platen/messaging/envelopes/checksum.ts'
import { MalformedMessage, parseJson } from '@platen/messaging/envelopes/command-codec.ts'
import { findMessage } from '@platen/messaging/streams/find-message.ts'
import { deleted, found } from '@platen/messaging/streams/streams.ts'
import { NatsError, type StoredMsg } from 'nats'

/** A message that could not be handled, in the stream DEAD_LETTERS. */
export interface DeadLetter {
  /** Its sequence number in DEAD_LETTERS. */
  seq: number
  /** When it was given up, ISO 8601. */
  at: string
  /** Where it was sent to. */
  subject: string
  reason: string
  deliveries: number
  payload: Uint8Array
  /** Whether the payload is what was sent. */
  intact: boolean
}

const prefix = 'dead-letters.'

/** Oldest first. */
export async function* readDeadLetters({ jsm }: Bus): AsyncIterable<DeadLetter> {
  const info = await found(jsm.streams.info(streams.deadLetters))
  if (!info) return
  const { first_seq, last_seq, messages } = info.state
  if (messages === 0) return
  for (let seq = first_seq; seq <= last_seq; seq++) {
    const message = await found(jsm.streams.getMessage(streams.deadLetters, { seq }))
    if (message) yield deadLetterOf(message)
  }
}

export async function readDeadLetter(bus: Bus, seq: number): Promise<DeadLetter> {
  const letter = await findDeadLetter(bus, seq)
  if (!letter) throw new Error(`there is no dead letter ${seq}; see dead-letters list`)
  return letter
}

export async function findDeadLetter({ queries }: Pick<Bus, 'queries'>, seq: number): Promise<DeadLetter | undefined> {
  const message = await found(queries.streams.getMessage(streams.deadLetters, { seq }))
  return message && deadLetterOf(message)
}

/** The newest letter with the command of a generation. Throws BusUnavailable. */
export function findLetterOf(bus: Bus, generationId: string): Promise<StoredMsg | undefined> {
  return findMessage(bus, streams.deadLetters, `${prefix}${commandSubjects.renderOne('*', generationId)}`)
}

/** Removes the letters with the command of a generation, which have the input of the document. Resolves to their number. Throws BusUnavailable. */
export async function dropLettersOf(bus: Bus, generationId: string): Promise<number> {
  try {
    for (let count = 0; ; ) {
      const letter = await findLetterOf(bus, generationId)
      if (!letter) return count
      // Of concurrent removals, one deletes it.
      if (await deleted(bus.queries.streams.deleteMessage(streams.deadLetters, letter.seq, true))) count++
    }
  } catch (err) {
    throw asBusUnavailable(err)
  }
}

/** No letter has this number. */
const unusedSeq = Number.MAX_SAFE_INTEGER

/**
 * Throws if this user may not remove dead letters. To be called before a letter is sent again, because it must be
 * removed afterwards.
 */
export async function requireRemoval({ jsm }: Bus): Promise<void> {
  try {
    await jsm.streams.deleteMessage(streams.deadLetters, unusedSeq)
  } catch (err) {
    if (!(err instanceof NatsError && err.isPermissionError())) return
    const message =
      'this NATS user may not remove dead letters, so nothing was done; set NATS_USER and NATS_PASSWORD to those of operators'
    throw new Error(message, { cause: err })
  }
}

/** Removes a dead letter. Ignores one that another operator has removed. */
export async function dropDeadLetter(bus: Bus, seq: number): Promise<void> {
  try {
    await bus.jsm.streams.deleteMessage(streams.deadLetters, seq)
  } catch (err) {
    if (await findDeadLetter(bus, seq)) throw err
  }
}

function deadLetterOf({ seq, subject, time, header, data }: StoredMsg): DeadLetter {
  return {
    seq,
    at: time.toISOString(),
    subject: header?.get('Platen-Subject') || subject.slice(prefix.length),
    // URLs are shown without their tokens.
    reason: redactUrls(header?.get('Platen-Reason') ?? ''),
    deliveries: Number(header?.get('Platen-Deliveries') || 0),
    payload: data,
    intact: isIntact(header, data),
  }
}

/** Text that is not JSON is returned as it is. */
export function contentOf(payload: Uint8Array): unknown {
  try {
    return parseJson(payload)
  } catch (err) {
    if (!(err instanceof MalformedMessage)) throw err
    return Buffer.from(payload).toString()
  }
}

/**
 * The content without the tokens of the webhook URL and the values of webhook headers in the request of a command, and without passwords
 * and files in its input, which is left as it is otherwise.
 */
export function withoutTokens(content: unknown): unknown {
  if (typeof content === 'string') return redactUrls(content)
  const { data } = (content ?? {}) as { data?: { request?: object; input?: Partial<RenderInput> } }
  if (typeof data?.request !== 'object') return content
  const input = withoutSecrets(data.input)
  const shown = { ...data, request: redactAll(data.request), ...defined({ input }) }
  return { ...(content as object), data: shown }
}

/** Passwords, files, headers of requests and the values of forms are left out. Fields that cannot be read are left out, too. */
function withoutSecrets(input: Partial<RenderInput> | undefined): Partial<RenderInput> | undefined {
  const { options, tool, chain, files, requests, ...others } = input ?? {}
  if (!input || (!options?.output && !tool && !chain && !files && !requests)) return input
  try {
    const operation = tool?.operation.operation === 'fill' ? { ...tool.operation, fields: {} } : tool?.operation
    const sources = tool?.sources.map(({ name }) => ({ name }))
    return {
      ...others,
      ...(options && { options: { ...options, ...(options.output && { output: describedSteps(options.output) }) } }),
      ...(operation && sources && { tool: { operation, sources } }),
    }
  } catch {
    return others
  }
}
