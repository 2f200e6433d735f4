import { setTimeout as delay } from 'node:timers/promises'
import { type Client, type Kind, pause } from '../client.ts'
import type { GenerationClients } from '../generations/clients.ts'
import type { Door } from '../system.ts'
import { failsAgain, lateOnce, type Receivers } from './receivers.ts'

const clients = 2
const calledWithinMs = 15_000
const rangeMs = 2_000
/** From a call to the views of the notifiers. */
const succeededWithinMs = 300

/** Clients that ask for webhooks again, also while an attempt is being made. */
export function deliveryClients(
  client: Client,
  { receiver }: Receivers,
  generations: Pick<GenerationClients, 'once'>,
): Kind {
  const { gateways } = client

  const redeliver = (subject: string, path: string, operation: string, gateway: Door) =>
    client.write(gateway, {
      operation,
      path: `/v1/${path}/redeliver`,
      method: 'POST',
      subject,
      // Before the delivery is scheduled there is none.
      expected: [202, 404],
    })

  /** Redelivers recent deliveries that have succeeded, with one that fails then. */
  const redeliverRange = async (n: string, gateway: Door) => {
    await called(`${failsAgain}${n}`, gateway)
    await delay(succeededWithinMs)
    const body = { since: new Date(Date.now() - rangeMs).toISOString(), status: 'succeeded' }
    return client.write(gateway, {
      operation: 'redeliverRange',
      path: '/v1/deliveries/redeliver',
      body,
      expected: [202],
      subject: body.since,
    })
  }

  /** The id of a generation, and of its delivery, whose first call has arrived. */
  const called = async (path: string, gateway: Door) => {
    const { post } = generations.once({ gateway: gateway.name, path })
    const id = await post()
    for (const until = Date.now() + calledWithinMs; Date.now() < until; await delay(20)) {
      const [call] = receiver.on(path)
      if (call && id !== undefined) return { id, delivery: String(call.headers['webhook-id']) }
    }
    return undefined
  }

  const again = async (n: string, byDelivery: boolean, gateway: Door) => {
    const found = await called(`${lateOnce}${n}`, gateway)
    if (!found) return
    const { id, delivery } = found
    if (byDelivery) await redeliver(id, `deliveries/${delivery}`, 'redeliverDelivery', gateway)
    else await redeliver(id, `generations/${id}/deliveries`, 'redeliverGeneration', gateway)
  }

  return {
    operations: ['redeliverDelivery', 'redeliverGeneration', 'redeliverRange'],
    async run(signal) {
      const ask = async (nth: number) => {
        const random = client.random(`redeliveries ${nth}`)
        for (let n = 1; !signal.aborted; n++) {
          const gateway = random.pick(gateways)
          if (random.fraction() < 0.6) await redeliverRange(`${nth}-${n}`, gateway)
          else await again(`${nth}-${n}`, random.fraction() < 0.5, gateway)
          await pause(random, signal)
        }
      }
      await Promise.all(Array.from({ length: clients }, (_, nth) => ask(nth)))
    },
    async probe(gateway) {
      await again(`after-${gateway.name}-1`, true, gateway)
      await again(`after-${gateway.name}-2`, false, gateway)
      await redeliverRange(`after-${gateway.name}`, gateway)
    },
  }
}
