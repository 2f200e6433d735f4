import type { Envelope } from '@platen/foundation/command.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openInbox } from '@platen/messaging/requests/reply.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'

export interface Question {
  subject: string
  command: Envelope<{ type: string; data: unknown }>
  /** For messages: `template` or `renderer`. */
  service: string
}

const answerWithinMs = 15_000

/** Sends a command as the gateway does and waits for the answer. Throws the service's refusal. */
export async function askService<Value>(bus: Bus, { subject, command, service }: Question): Promise<Value> {
  using inbox = openInbox(bus.nats)
  using pending = inbox.expect<Value>()
  const deadline = new Date(Date.now() + answerWithinMs).toISOString()
  const metadata = { ...command.metadata, deadline }
  await sendCommand(bus, { subject, command: { ...command, metadata }, replyTo: pending.subject })
  const answer = await untilAborted(pending.answer, AbortSignal.timeout(answerWithinMs)).catch((cause) => {
    throw new Error(`the ${service} has not answered within ${answerWithinMs / 1_000} s; is it running?`, { cause })
  })
  if (!answer.ok) throw new Error(`${answer.failure.message} (${answer.failure.code})`)
  return answer.value
}
