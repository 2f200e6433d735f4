import type { CancelGeneration } from '@platen/domain/generation/generation.ts'
import type { GenerationOutcome } from '@platen/domain/generation/generation-events.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import { operatorMetadata } from '@platen/event-store/handle-command.ts'
import type { Envelope } from '@platen/foundation/command.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { Bus } from '@platen/messaging/connection/bus.ts'
import { openInbox } from '@platen/messaging/requests/reply.ts'
import { sendCommand } from '@platen/messaging/requests/send-command.ts'
import { any, defineCommand } from '../../frame/command.ts'
import { dryRun, UsageError } from '../../frame/options.ts'
import { queuedCommand, readGeneration, requestOf } from './read-generation.ts'

export const cancelGenerations = defineCommand({
  name: 'generations cancel',
  argument: any('pdf id'),
  summary: 'cancel generations that are queued or being rendered',
  options: dryRun,
  async run({ openStore, openBus, print }, { argument: ids, json, 'dry-run': isDryRun }) {
    if (ids.length === 0) throw new UsageError('expected generation ids')
    const store = await openStore()
    const bus = await openBus()
    let failures = 0
    for (const id of ids) {
      const state = await readGeneration(store, id)
      const request = requestOf(id, state) ?? (await queuedCommand(bus, id))?.data.request
      if (!request) throw new Error(`there is no generation ${id}`)
      if (isDryRun) {
        const isOpen = state.status === 'absent' || state.status === 'rendering'
        if (!isOpen) failures += 1
        if (json) print(JSON.stringify({ id, cancelled: false, dry_run: true, status: isOpen ? 'open' : state.status }))
        else print(`${id}  ${isOpen ? 'would be cancelled' : `has ended: ${state.status}`}`)
        continue
      }
      const command: CancelGeneration = { type: 'CancelGeneration', data: { request } }
      const { type } = await askRenderer(bus, id, { ...command, metadata: operatorMetadata() })
      const cancelled = type === 'GenerationCancelled'
      if (!cancelled) failures += 1
      if (json) print(JSON.stringify({ id, cancelled, ended_as: type }))
      else print(`${id}  ${cancelled ? 'cancelled' : `had ended before: ${type}`}`)
    }
    return failures > 0 ? 1 : 0
  },
})

const answerWithinMs = 15_000

/** Sends the command as the gateway does and waits for the answer. Throws the renderer's refusal. */
async function askRenderer(bus: Bus, id: string, command: Envelope<CancelGeneration>): Promise<GenerationOutcome> {
  using inbox = openInbox(bus.nats)
  using pending = inbox.expect<GenerationOutcome>()
  const deadline = new Date(bus.clock.now() + answerWithinMs).toISOString()
  const metadata = { ...command.metadata, deadline }
  const subject = commandSubjects.cancel(id)
  await sendCommand(bus, { subject, command: { ...command, metadata }, replyTo: pending.subject })
  const answer = await untilAborted(pending.answer, AbortSignal.timeout(answerWithinMs)).catch((cause) => {
    throw new Error(`the renderer has not answered within ${answerWithinMs / 1_000} s; is it running?`, { cause })
  })
  if (!answer.ok) throw new Error(`${answer.failure.message} (${answer.failure.code})`)
  return answer.value
}
