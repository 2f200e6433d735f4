import { type GenerationRequest, RenderPdf } from '@platen/shared/contracts/generation.ts'
import { commandSubjects, priorities, renderSubjectIds, streams } from '@platen/shared/contracts/subjects.ts'
import { asBusUnavailable, type Bus } from '@platen/shared/messaging/bus.ts'
import { commandParser, MalformedMessage } from '@platen/shared/messaging/command-codec.ts'
import { NatsError, type StoredMsg } from 'nats'
import { requireConnected } from '../messaging/require-connected.ts'
import type { GenerationRecord } from './generation-record.ts'

/** Generations whose command is in the stream COMMANDS: accepted and not finished. Throws BusUnavailable. */
export interface QueuedGenerations {
  /** `holders`: the ids that the subject may contain: of the owner, and of the API key in versions without owners. */
  find(id: string, holders: readonly string[]): Promise<GenerationRecord | undefined>
  /** The ids of the generations of an owner, newest first. */
  ids(ownerId: string): Promise<string[]>
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

export function queuedGenerations(bus: Bus): QueuedGenerations {
  const { jsm } = bus
  const lastMessage = async (subject: string) => {
    try {
      return await jsm.streams.getMessage(streams.commands, { last_by_subj: subject })
    } catch (err) {
      if (err instanceof NatsError && err.api_error?.code === 404) return undefined
      throw asBusUnavailable(err)
    }
  }
  return {
    async find(id, holders) {
      requireConnected(bus)
      const subjects = holders.flatMap((holder) =>
        priorities.map((priority) => commandSubjects.render(priority, holder, id)),
      )
      const messages = await Promise.all(subjects.map(lastMessage))
      const message = messages.find((found) => found !== undefined)
      if (!message) return undefined
      return { request: requestIn(message) ?? renderSubjectIds(message.subject), state: { status: 'queued' } }
    },
    async ids(ownerId) {
      requireConnected(bus)
      const filter = { subjects_filter: commandSubjects.renderOf(ownerId) }
      const { state } = await jsm.streams.info(streams.commands, filter).catch((err) => {
        throw asBusUnavailable(err)
      })
      const ids = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(subject.lastIndexOf('.') + 1))
      return [...new Set(ids)].sort().reverse()
    },
  }
}
