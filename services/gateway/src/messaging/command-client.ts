import type { Bus } from '@platen/shared/messaging/bus.ts'
import type { Inbox } from '@platen/shared/messaging/reply.ts'
import { type OutgoingCommand, sendCommand } from '@platen/shared/messaging/send-command.ts'
import { DependencyUnavailable, DomainError } from '@platen/shared/runtime/errors.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'

/** Covers publishing and the reply, so that a client receives a 503 within 5 s. */
const replyTimeoutMs = 4_500

/** Sends a command and waits for the reply of its handler. */
export interface CommandClient {
  /**
   * Throws the handler's refusal as a DomainError, or DependencyUnavailable when no reply arrives in time. The command may
   * still be executed after the timeout.
   */
  execute<Result>(command: Omit<OutgoingCommand, 'replyTo'>): Promise<Result>
}

export function commandClient(bus: Bus, inbox: Inbox): CommandClient {
  return {
    async execute<Result>(outgoing: Omit<OutgoingCommand, 'replyTo'>) {
      using pending = inbox.expect<Result>()
      const timeout = AbortSignal.timeout(replyTimeoutMs)
      const sentAndReplied = sendCommand(bus, { ...outgoing, replyTo: pending.subject }).then(() => pending.answer)
      const reply = await untilAborted(sentAndReplied, timeout).catch((err) => {
        if (err !== timeout.reason) throw err
        throw new DependencyUnavailable(`no reply to ${outgoing.command.type} within ${replyTimeoutMs} ms`)
      })
      if (!reply.ok) throw DomainError.from(reply.failure)
      return reply.value
    },
  }
}
