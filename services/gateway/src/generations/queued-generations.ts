import { type GenerationRequest, RenderPdf } from '@platen/domain/generation/generation.ts'
import {
  commandSubjects,
  type RenderQueue,
  renderQueues,
  renderSubjectIds,
  streams,
} from '@platen/domain/streams/subjects.ts'
import { ask } from '@platen/messaging/connection/ask.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { commandParser, MalformedMessage } from '@platen/messaging/envelopes/command-codec.ts'
import { findMessage, requireLeading } from '@platen/messaging/streams/find-message.ts'
import type { StoredMsg } from 'nats'
import type { GenerationRecord } from '../views/generation-record.ts'

export interface QueuedPlace {
  id: string
  ownerId: string
  queue: RenderQueue
}

/** Generations whose command is in the stream COMMANDS: accepted and not finished. Throws BusUnavailable. */
export interface QueuedGenerations {
  /** Undefined if it is not queued, or belongs to another owner. */
  find(id: string, ownerId: string): Promise<GenerationRecord | undefined>
  /** The same of any owner. */
  findOfAny(id: string): Promise<GenerationRecord | undefined>
  /** The ids of the generations of an owner, newest first. */
  ids(ownerId: string): Promise<string[]>
  /** Those of an owner, or of all, newest first. */
  list(ownerId: string | undefined): Promise<QueuedPlace[]>
}

const parse = commandParser(RenderPdf)

/** Undefined for a command that cannot be read, which a renderer will fail. */
function requestIn({ data }: StoredMsg): GenerationRequest | undefined {
  try {
    return parse(data).data.request
  } catch (err) {
    if (err instanceof MalformedMessage) return undefined
    throw err
  }
}

function recordOf(message: StoredMsg | undefined): GenerationRecord | undefined {
  if (!message) return undefined
  return { request: requestIn(message) ?? renderSubjectIds(message.subject), state: { status: 'queued' } }
}

export function queuedGenerations(bus: Bus): QueuedGenerations {
  const lastMessage = (subject: string) => findMessage(bus, streams.commands, subject)
  const list = async (ownerId = '*'): Promise<QueuedPlace[]> => {
    const filter = { subjects_filter: commandSubjects.renderOf(ownerId) }
    const { state } = await ask(bus, async () => {
      const info = await bus.queries.streams.info(streams.commands, filter)
      requireLeading(info)
      return info
    })
    const places = Object.keys(state.subjects ?? {}).flatMap((subject): QueuedPlace[] => {
      const [, , name, owner = '', id = ''] = subject.split('.')
      const queue = renderQueues.find((known) => known === name)
      return queue === undefined ? [] : [{ id, ownerId: owner, queue }]
    })
    return places.sort((one, other) => (one.id < other.id ? 1 : -1))
  }
  return {
    find: async (id, ownerId) => recordOf(await lastMessage(commandSubjects.renderOne(ownerId, id))),
    findOfAny: async (id) => recordOf(await lastMessage(commandSubjects.renderOne('*', id))),
    ids: async (ownerId) => [...new Set((await list(ownerId)).map(({ id }) => id))],
    list,
  }
}
