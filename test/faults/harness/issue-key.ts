import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from './client.ts'
import type { Door } from './system.ts'

const withinMs = 180_000

/** Issues an API key for one client. Each client has its own, because requests of one key wait for each other. */
export async function issueKey(
  client: Client,
  name: string,
  gateway: () => Door,
  scopes: readonly string[] = ['templates:read', 'templates:write'],
): Promise<string> {
  for (const deadline = Date.now() + withinMs; Date.now() < deadline; await delay(200)) {
    const { body } = await client.write<{ key: string }>(gateway(), {
      operation: 'issueApiKey',
      path: '/v1/keys',
      body: { name, scopes },
      expected: [201, 202],
      subject: name,
      sent: { name },
    })
    if (body?.key !== undefined) return body.key
  }
  throw new Error(`${name} has got no API key`)
}
