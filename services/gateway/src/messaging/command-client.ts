import type { Bus } from '@platen/shared/messaging/bus.ts'
import type { Inbox } from '@platen/shared/messaging/reply.ts'
import { type Sending, sendCommand } from '@platen/shared/messaging/send-command.ts'
import { DependencyUnavailable, DomainError } from '@platen/shared/runtime/errors.ts'
import { within } from './within.ts'

/** In all, the publication included: a client has its 503 within 5 s. */
const answerWithinMs = 4_500

export type Ask = <Answer>(sending: Omit<Sending, 'replyTo'>) => Promise<Answer>

/**
 * Sends a command and waits for what its handler answers. Throws the handler's refusal as a DomainError, and
 * DependencyUnavailable when nobody answers: then the command may be carried out later.
 */
export function openAsk(bus: Bus, inbox: Inbox): Ask {
  return async <Answer>(sending: Omit<Sending, 'replyTo'>) => {
    using pending = inbox.expect<Answer>()
    const sentAndAnswered = sendCommand(bus, { ...sending, replyTo: pending.subject }).then(() => pending.answer)
    const reply = await within(answerWithinMs, sentAndAnswered)
    if (!reply) throw new DependencyUnavailable(`nobody answered ${sending.command.type}`)
    if (!reply.ok) throw DomainError.from(reply.failure)
    return reply.value
  }
}
