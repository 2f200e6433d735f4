import { DomainError } from '@platen/domain/http/errors.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { Inbox } from '@platen/messaging/requests/reply.ts'
import { type OutgoingCommand, sendCommand } from '@platen/messaging/requests/send-command.ts'
import { found } from '@platen/messaging/streams/streams.ts'

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

/** A command is handled in milliseconds, so that few are looked for. */
const lookAfterMs = 500
/** Its handler replies, then acknowledges it: the reply may be on its way. */
const onItsWayMs = 100

/**
 * Sends the command, and again when the stream has it no more and `ended` has not aborted: then it was handled, and its reply
 * lost with a connection. The handler finds it executed, and repeats its reply.
 */
async function sendUntil(
  ended: AbortSignal,
  bus: Bus,
  outgoing: OutgoingCommand & { messageId: string },
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const messageId = attempt === 1 ? outgoing.messageId : `${outgoing.messageId} ${attempt}`
    const sequence = await sendCommand(bus, { ...outgoing, messageId })
    do await sleep(lookAfterMs, ended)
    while (!ended.aborted && (await isQueued(bus, sequence)))
    await sleep(onItsWayMs, ended)
    if (ended.aborted) return
  }
}

async function isQueued({ queries }: Bus, seq: number): Promise<boolean> {
  const message = found(queries.streams.getMessage(streams.commands, { seq }))
  // Without an answer it is unknown.
  return message.then(
    (queued) => queued !== undefined,
    () => true,
  )
}

export function commandClient(bus: Bus, inbox: Inbox): CommandClient {
  return {
    async execute<Result>({ subject, command, messageId = command.metadata.id }: RequestedCommand) {
      using pending = inbox.expect<Result>()
      const deadline = new Date(Date.now() + replyTimeoutMs).toISOString()
      const timeout = AbortSignal.timeout(replyTimeoutMs)
      const outgoing = {
        subject,
        messageId,
        command: { ...command, metadata: { ...command.metadata, deadline } },
        replyTo: pending.subject,
      }
      const settled = new AbortController()
      const ended = AbortSignal.any([timeout, settled.signal])
      const sending = sendUntil(ended, bus, outgoing).then(() => pending.answer)
      const reply = await untilAborted(Promise.race([pending.answer, sending]), timeout)
        .catch((err) => {
          if (err !== timeout.reason) throw err
          throw new DependencyUnavailable(`no reply to ${command.type} within ${replyTimeoutMs} ms`)
        })
        .finally(() => settled.abort())
      if (!reply.ok) throw DomainError.from(reply.failure)
      return reply.value
    },
  }
}
