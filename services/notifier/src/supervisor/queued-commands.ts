import { GenerationRequest } from '@platen/domain/generation/generation.ts'
import { renderSubjectIds, streams } from '@platen/domain/streams/subjects.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { findMessage, requireLeading } from '@platen/messaging/streams/find-message.ts'
import { deleted } from '@platen/messaging/streams/streams.ts'
import { dropLettersOf } from '@platen/service-kit/dead-letters/dead-letters.ts'
import type { StoredMsg } from 'nats'
import { Compile } from 'typebox/compile'

const isRequest = Compile(GenerationRequest)

/** Reads the render commands in the streams COMMANDS and DEAD_LETTERS. Its methods throw BusUnavailable. */
export class QueuedCommands {
  readonly #bus: Bus

  constructor(bus: Bus) {
    this.#bus = bus
  }

  /** The subjects of the queued render commands by the id of their generation. */
  queued(): Promise<Map<string, string>> {
    return this.#subjects(streams.commands, 'commands.render.>')
  }

  /** The subjects of the render commands among the dead letters, without `dead-letters.`, by the id of their generation. */
  dead(): Promise<Map<string, string>> {
    return this.#subjects(streams.deadLetters, 'dead-letters.commands.render.>')
  }

  /** The request in a queued command, or what its subject says if it cannot be read. Undefined if it has left the queue. */
  async read(subject: string): Promise<{ request: GenerationRequest; sinceMs: number } | undefined> {
    const message = await findMessage(this.#bus, streams.commands, subject)
    return message && { request: requestIn(message.data, subject), sinceMs: message.time.getTime() }
  }

  async deadRequest(subject: string): Promise<{ request: GenerationRequest; reason: string } | undefined> {
    const message = await findMessage(this.#bus, streams.deadLetters, `dead-letters.${subject}`)
    if (!message) return undefined
    return { request: requestIn(message.data, subject), reason: message.header.get('Platen-Reason') }
  }

  /** Deletes the queued commands of a subject. */
  async delete(subject: string): Promise<void> {
    const message = await findMessage(this.#bus, streams.commands, subject)
    const remove = ({ seq }: StoredMsg) => this.#bus.queries.streams.deleteMessage(streams.commands, seq, false)
    // A repeated request finds nothing to delete.
    if (message) await ask(this.#bus, () => deleted(remove(message)))
  }

  /** Removes the dead letters of a generation. */
  dropDead(id: string): Promise<number> {
    return dropLettersOf(this.#bus, id)
  }

  async #subjects(stream: string, filter: string): Promise<Map<string, string>> {
    const { state } = await ask(this.#bus, async () => {
      const info = await this.#bus.queries.streams.info(stream, { subjects_filter: filter })
      requireLeading(info)
      return info
    })
    const subjects = Object.keys(state.subjects ?? {}).map((subject) => subject.replace(/^dead-letters\./, ''))
    return new Map(subjects.map((subject) => [renderSubjectIds(subject).generation_id, subject]))
  }
}

function requestIn(data: Uint8Array, subject: string): GenerationRequest {
  try {
    const { request } = JSON.parse(Buffer.from(data).toString()).data
    if (isRequest.Check(request)) return request
  } catch {
    // The renderer fails it. Here it is enough to know whose it is.
  }
  return renderSubjectIds(subject)
}
