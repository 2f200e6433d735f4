import { DomainError } from '@platen/domain/http/errors.ts'
import { streams } from '@platen/domain/streams/subjects.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { DependencyUnavailable } from '@platen/foundation/errors/errors.ts'
import { sleep } from '@platen/foundation/runtime/sleep.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import type { Inbox, Reply } from '@platen/messaging/requests/reply.ts'
import { encodeCommand, sendCommand } from '@platen/messaging/requests/send-command.ts'
import { found } from '@platen/messaging/streams/streams.ts'

/** Covers publishing and the reply, so that a client receives a 503 within 5 s. */
const replyTimeoutMs = 4_500

export interface RequestedCommand {
  subject: string
  command: Envelope<{ type: string; data: unknown }>
  /** JSON of its data, if the caller has it. */
  dataJson?: string
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

/** The interval of checks whether the command is still queued. Most commands are answered before the first check. */
const lookAfterMs = 500
/** The handler replies before it acknowledges the command, so the reply may still be on its way. */
const onItsWayMs = 100

type Send = (attempt: number) => Promise<number>

/**
 * Sends the command, and again when the stream has it no more and `ended` has not aborted: then it was handled, and its reply
 * lost with a connection. The handler finds it executed, and repeats its reply.
 */
async function sendUntil(ended: AbortSignal, { queries }: Bus, send: Send): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const sequence = await send(attempt)
    do await sleep(lookAfterMs, ended)
    while (!ended.aborted && (await isQueued(queries, sequence)))
    await sleep(onItsWayMs, ended)
    if (ended.aborted) return
  }
}

async function isQueued(queries: Bus['queries'], seq: number): Promise<boolean> {
  const message = found(queries.streams.getMessage(streams.commands, { seq }))
  // Without an answer the outcome is unknown.
  return message.then(
    (queued) => queued !== undefined,
    () => true,
  )
}

export function commandClient(bus: Bus, inbox: Inbox): CommandClient {
  return {
    async execute<Result>({ subject, command, dataJson, messageId = command.metadata.id }: RequestedCommand) {
      const deadline = new Date(bus.clock.now() + replyTimeoutMs).toISOString()
      const timeout = AbortSignal.timeout(replyTimeoutMs)
      const timed = { ...command, metadata: { ...command.metadata, deadline } }
      const encoded = encodeCommand(timed, dataJson)
      using replies = new DisposableStack()
      const { promise: answer, resolve } = Promise.withResolvers<Reply<Result>>()
      let last = 0
      const send = (attempt: number) => {
        const { subject: replyTo, answer: replied } = replies.use(inbox.expect<Result>())
        last = attempt
        // Refusals are not recorded: one that arrives after the command was sent again does not tell the outcome of the
        // second one.
        void replied.then((reply) => {
          if (reply.ok || attempt === last) resolve(reply)
        })
        const id = attempt === 1 ? messageId : `${messageId} ${attempt}`
        return sendCommand(bus, { subject, messageId: id, command: encoded, replyTo })
      }
      const settled = new AbortController()
      const ended = AbortSignal.any([timeout, settled.signal])
      const sending = sendUntil(ended, bus, send).then(() => answer)
      const reply = await untilAborted(Promise.race([answer, sending]), timeout)
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
