import { RenderPdf } from '@platen/shared/contracts/generation.ts'
import { commandSubjects, priorities, streams } from '@platen/shared/contracts/subjects.ts'
import { asBusUnavailable, type Bus } from '@platen/shared/messaging/bus.ts'
import { commandParser } from '@platen/shared/messaging/command-codec.ts'
import { NatsError } from 'nats'
import { requireConnected } from '../messaging/require-connected.ts'
import type { GenerationRecord } from './generation-record.ts'

/** Generations whose command is in the stream COMMANDS: accepted and not finished. Throws BusUnavailable. */
export interface QueuedGenerations {
  find(apiKeyId: string, id: string): Promise<GenerationRecord | undefined>
  /** The ids of the generations of an API key, newest first. */
  ids(apiKeyId: string): Promise<string[]>
}

const parse = commandParser(RenderPdf)

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
    async find(apiKeyId, id) {
      requireConnected(bus)
      const messages = await Promise.all(
        priorities.map((priority) => lastMessage(commandSubjects.render(priority, apiKeyId, id))),
      )
      const message = messages.find((found) => found !== undefined)
      return message && { request: parse(message.data).data.request, state: { status: 'queued' } }
    },
    async ids(apiKeyId) {
      requireConnected(bus)
      const filter = { subjects_filter: commandSubjects.renderOfKey(apiKeyId) }
      const { state } = await jsm.streams.info(streams.commands, filter).catch((err) => {
        throw asBusUnavailable(err)
      })
      const ids = Object.keys(state.subjects ?? {}).map((subject) => subject.slice(subject.lastIndexOf('.') + 1))
      return [...new Set(ids)].sort().reverse()
    },
  }
}
