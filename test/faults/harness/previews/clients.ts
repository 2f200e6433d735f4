import type { Json } from '@platen/foundation/json/json.ts'
import { type Client, type Kind, pause } from '../client.ts'
import type { Door } from '../system.ts'

interface Printed {
  pages: number
  size: number
  /** Base64. */
  content: string
}

/** People who look at a document while they write it. A newer preview of the same client ends the older one. */
export function previewClients(client: Client): Kind {
  const { gateways } = client

  const preview = async (text: string, gateway: Door, of?: string) => {
    const body = { html: `<p>${text}`, ...(of !== undefined && { client: of }) }
    const { body: printed } = await client.write<Printed>(gateway, {
      operation: 'preview',
      path: '/v1/preview',
      body,
      headers: { accept: 'application/vnd.platen.preview+json' },
      expected: of === undefined ? [200] : [200, 409],
      subject: text,
    })
    const write = client.writes.findLast(({ subject }) => subject === text)
    // The file would be most of the evidence.
    if (write?.body && printed?.content !== undefined) write.body = summaryOf(printed)
  }

  return {
    operations: ['preview'],
    async run(signal) {
      const random = client.random('previews')
      for (let n = 1; !signal.aborted; n++) {
        const gateway = random.pick(gateways)
        if (random.fraction() < 0.7) await preview(`Preview ${n}.`, gateway)
        else await Promise.all(['a', 'b'].map((one) => preview(`Preview ${n}${one}.`, gateway, 'editor')))
        await pause(random, signal, 300, 1_200)
      }
    },
    probe: (gateway) => preview(`Preview after ${gateway.name}.`, gateway),
  }
}

function summaryOf({ pages, size, content }: Printed): Record<string, Json> {
  const bytes = Buffer.from(content, 'base64')
  return { pages, size, bytes: bytes.length, begins: bytes.subarray(0, 5).toString('latin1') }
}
