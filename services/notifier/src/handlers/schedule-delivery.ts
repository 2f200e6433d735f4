import type { CloudEvent } from '@platen/shared/contracts/cloud-event.ts'
import { absentGeneration, evolveGeneration, outcomeOf } from '@platen/shared/contracts/generation-state.ts'
import type { EventStore } from '@platen/shared/event-store/event-store.ts'
import { handleCommand, load } from '@platen/shared/event-store/handle-command.ts'
import { derivedUuid, hashedId } from '@platen/shared/runtime/ids.ts'
import { fileUrl } from '@platen/shared/signing/file-url.ts'
import type { Signing } from '@platen/shared/signing/signing.ts'
import { deliveryDecider } from '../domain/delivery.ts'
import { webhookPayload } from '../webhook/payload.ts'
import { nextAttemptAt } from '../webhook/schedule.ts'

export interface SchedulingDependencies {
  store: EventStore
  signing: Signing
  publicUrl: string
  fileUrlTtlS: number
  scheduleMs: readonly number[]
  now: () => number
  random: () => number
}

/** Takes up the delivery of an event whose generation asked for a webhook. An event seen before changes nothing. */
export async function scheduleDelivery(dependencies: SchedulingDependencies, event: CloudEvent): Promise<void> {
  const { store, scheduleMs, now, random } = dependencies
  const generation = await readGeneration(store, event.subject)
  const { webhook_url, api_key_id } = generation.request
  if (webhook_url === undefined) return

  const url = new URL(webhook_url).href
  const nowMs = now()
  const time = new Date(nowMs).toISOString()
  const id = hashedId('msg', event.id, url)
  const data = {
    generation_id: event.subject,
    api_key_id,
    url,
    event_id: event.id,
    body: webhookPayload(event, generation.outcome, fileUrlOf(event, dependencies)),
    next_at: nextAttemptAt({ scheduleMs, attempts: 0, nowMs, random: random() }) ?? time,
  }
  const metadata = {
    id: derivedUuid(id, 'schedule'),
    time,
    correlation_id: event.correlationid ?? event.id,
    ...(event.traceparent !== undefined && { traceparent: event.traceparent }),
  }
  await handleCommand({
    store,
    decider: deliveryDecider,
    stream: `delivery-${id}`,
    command: { type: 'ScheduleDelivery', data, metadata },
  })
}

async function readGeneration(store: EventStore, id: string) {
  const fold = { initialState: absentGeneration, evolve: evolveGeneration }
  const { state } = await load(store, fold, `generation-${id}`)
  const outcome = outcomeOf(state)
  if (state.status === 'absent' || outcome === undefined || outcome.type === 'GenerationCancelled') {
    throw new Error(`the stream of ${id} does not say what the event says`)
  }
  return { request: state.request, outcome }
}

/** Counted from the event's own time: the same event names the same address whenever it is handled. */
function fileUrlOf({ subject, time }: CloudEvent, { signing, publicUrl, fileUrlTtlS }: SchedulingDependencies): string {
  return fileUrl(signing, publicUrl, subject, Math.floor(Date.parse(time) / 1_000) + fileUrlTtlS)
}
