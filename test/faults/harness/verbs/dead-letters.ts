import { randomUUID } from 'node:crypto'
import { defaultOwnerId } from '@platen/domain/ids/owner-id.ts'
import { commandSubjects, streams } from '@platen/domain/streams/subjects.ts'
import { newId } from '@platen/foundation/runtime/ids.ts'
import { headers } from 'nats'
import type { Client } from '../client.ts'
import type { System } from '../system.ts'
import type { RanVerb } from './run-verb.ts'
import type { Retried } from './verb-evidence.ts'

const minuteMs = 60_000

/**
 * Leaves a dead letter, as a service does after it could not handle a change of a template a minute ago, and sends it
 * again. `template`: undefined for one that does not exist.
 */
export async function retryDeadLetter(
  system: System,
  client: Client,
  { template, verb }: { template: string | undefined; verb: (...args: string[]) => Promise<RanVerb> },
): Promise<Retried> {
  const before = Date.now() - minuteMs
  const request = newId('req')
  const template_id = template ?? newId('tpl')
  const html = `<p>Edit of the dead letter ${request}`
  const time = new Date(before).toISOString()
  const metadata = { id: randomUUID(), time, correlation_id: request, deadline: new Date(before + 4_500).toISOString() }
  const data = { template_id, owner_id: defaultOwnerId, changes: { html } }
  // Its client has got no answer.
  if (template !== undefined) {
    client.writes.push({
      operation: 'updateTemplate',
      subject: template,
      gateway: 'dead letters',
      sentMs: before,
      answeredMs: Date.now() + minuteMs,
      status: 'cut',
      sent: { html },
    })
  }
  const connection = await system.nats()
  try {
    const reason = headers()
    const subject = commandSubjects.template(template_id)
    for (const [name, value] of Object.entries({ Reason: 'it failed', Subject: subject, Deliveries: '5' }))
      reason.set(`Platen-${name}`, value)
    const payload = JSON.stringify({ type: 'UpdateTemplate', data, metadata })
    const { seq } = await connection.jetstream().publish(`dead-letters.${subject}`, payload, { headers: reason })
    const { ended } = await verb('dead-letters', 'retry', `${seq}`)
    const manager = await connection.jetstreamManager()
    const left = await manager.streams.getMessage(streams.deadLetters, { seq }).catch(() => undefined)
    return { request, isValid: template !== undefined, isKept: left !== undefined, ended }
  } finally {
    await connection.close()
  }
}
