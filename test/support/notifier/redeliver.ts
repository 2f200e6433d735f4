import type { RedeliverAnswer } from '@platen/domain/delivery/delivery.ts'
import { commandSubjects } from '@platen/domain/streams/subjects.ts'
import type { Platen } from './platen.ts'

/** The id of the delivery of a generation. */
export async function deliveryIdOf({ services }: Platen, generationId: string): Promise<string> {
  const signal = AbortSignal.timeout(10_000)
  for await (const item of services.store.subscribe({ after: 'start', categories: ['delivery'], signal })) {
    const data = item.kind === 'event' ? (item.event.data as { generation_id?: string }) : {}
    if (item.kind === 'event' && data.generation_id === generationId) return item.event.stream.replace('delivery-', '')
  }
  throw new Error('no delivery')
}

/** Requests a redelivery as the gateway does. */
export const redeliver = (platen: Platen, delivery_id: string) =>
  platen.request<RedeliverAnswer>(commandSubjects.delivery(delivery_id), {
    type: 'RedeliverDelivery',
    data: { delivery_id },
  })
