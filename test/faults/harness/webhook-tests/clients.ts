import { type Client, type Kind, pause } from '../client.ts'
import { type Receivers, tested } from '../deliveries/receivers.ts'
import type { Door } from '../system.ts'

interface Tested {
  status?: number
  error?: string
}

/** Clients that try a URL for webhooks. Their calls are no deliveries. */
export function webhookTestClients(client: Client, { receiver, verified }: Receivers): Kind {
  const { gateways } = client

  const test = async (n: string, gateway: Door) => {
    const subject = `${tested}${n}`
    const { body } = await client.write<Tested>(gateway, {
      operation: 'testWebhook',
      path: '/v1/webhooks/test',
      body: { webhook_url: receiver.url(subject) },
      expected: [200, 429],
      subject,
    })
    const write = client.writes.findLast((one) => one.subject === subject)
    const calls = receiver.on(subject)
    if (write?.body && body) {
      const isVerified = calls.every((call) => verified.has(call))
      write.body = {
        ...(body.status !== undefined && { status: body.status }),
        calls: calls.length,
        verified: isVerified,
      }
    }
  }

  return {
    operations: ['testWebhook'],
    async run(signal) {
      const random = client.random('webhook tests')
      for (let n = 1; !signal.aborted; n++) {
        await test(String(n), random.pick(gateways))
        await pause(random, signal, 2_000, 5_000)
      }
    },
    probe: (gateway) => test(`after-${gateway.name}`, gateway),
  }
}
