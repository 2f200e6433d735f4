import type { Envelope } from '@platen/shared/contracts/command.ts'
import type { Bus } from '@platen/shared/messaging/connection/bus.ts'
import type { Inbox } from '@platen/shared/messaging/requests/reply.ts'
import { sendCommand } from '@platen/shared/messaging/requests/send-command.ts'
import { DependencyUnavailable, DomainError } from '@platen/shared/runtime/errors.ts'
import { untilAborted } from '@platen/shared/runtime/until-aborted.ts'

/** Covers publishing and the reply, so that a client receives a 503 within 5 s. */
const replyTimeoutMs = 4_500

export interface RequestedCommand {
  subject: string
  command: Envelope<{ type: string; data: unknown }>
  /** JetStream drops a second message with the same id within 2 minutes. Default: the command's id. */
  messageId?: string
}

/** Sends a command and waits for the reply of its handler. */
export interface CommandClient {
  /**
   * Throws the handler's refusal as a DomainError, or DependencyUnavailable when no reply arrives in time. The command may
   * have been executed then, but it is not executed later: the handler refuses it after its deadline.
   */
  execute<Result>(command: RequestedCommand): Promise<Result>
}

export function commandClient(bus: Bus, inbox: Inbox): CommandClient {
  return {
    async execute<Result>({ subject, command, ...options }: RequestedCommand) {
      using pending = inbox.expect<Result>()
      const deadline = new Date(Date.now() + replyTimeoutMs).toISOString()
      const timeout = AbortSignal.timeout(replyTimeoutMs)
      const outgoing = {
        ...options,
        subject,
        command: { ...command, metadata: { ...command.metadata, deadline } },
        replyTo: pending.subject,
      }
      const sentAndReplied = sendCommand(bus, outgoing).then(() => pending.answer)
      const reply = await untilAborted(sentAndReplied, timeout).catch((err) => {
        if (err !== timeout.reason) throw err
        throw new DependencyUnavailable(`no reply to ${command.type} within ${replyTimeoutMs} ms`)
      })
      if (!reply.ok) throw DomainError.from(reply.failure)
      return reply.value
    },
  }
}
