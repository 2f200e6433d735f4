import type { Generation } from '@platen/domain/generation/generation.ts'
import type { Gateway } from './fleet.ts'

/** All generations that a gateway lists, without their URLs, which are signed anew for each request. */
export async function listAll(gateway: Pick<Gateway, 'json'>, limit = 100): Promise<Generation[]> {
  const all: Generation[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const query = new URLSearchParams({ limit: String(limit), ...(cursor && { cursor }) })
    const { body } = await gateway.json<{ data: Generation[]; next_cursor?: string }>(`/v1/generations?${query}`)
    all.push(...body.data)
    cursor = body.next_cursor
  }
  return all.map(({ url, poll_url, ...generation }) => generation)
}
