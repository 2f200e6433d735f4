import type { Generation } from '@platen/domain/generation/generation.ts'
import { type Answered, type Client, pause } from '../client.ts'
import type { Listed } from '../evidence.ts'
import type { Door } from '../system.ts'
import { type Check, verdict } from '../verdict.ts'
import type { Post } from './post.ts'

/** What a list asks for. */
export interface Filter {
  batch: string
  template?: string | undefined
  /** Only while nothing is rendered: what a client knows of the status is old. */
  status?: 'queued'
}

interface Page {
  data: Generation[]
  next_cursor?: string
}

/** Reads all pages of a list. Nothing is recorded if a page is not answered. */
export async function listAll(client: Client, posts: readonly Post[], filter: Filter, gateway: Door): Promise<void> {
  const { batch, template, status } = filter
  const query = [`metadata.batch=${batch}`, template && `template=${template}`, status && `status=${status}`]
    .filter((part) => part !== undefined)
    .join('&')
  const wanted = posts
    .filter((post) => post.batch === batch && (template === undefined || post.template?.id === template))
    .flatMap(({ id }) => id ?? [])
  const got: Listed['got'] = []
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const path: string = `/v1/generations?${query}&limit=7${cursor && `&cursor=${cursor}`}`
    const answer: Answered<Page> = await client.send<Page>(gateway, {
      operation: 'listGenerations',
      path,
      expected: [200],
    })
    if (answer.status !== 200 || !answer.body) return
    for (const generation of answer.body.data) got.push({ id: generation.id, fits: isOf(generation, filter) })
    cursor = answer.body.next_cursor
  }
  client.lists.push({ gateway: gateway.name, query, wanted, got })
}

function isOf({ metadata, template, status }: Generation, filter: Filter): boolean {
  if (filter.template !== undefined && template?.id !== filter.template) return false
  return metadata?.batch === filter.batch && (filter.status === undefined || status === filter.status)
}

/** Lists what was posted a moment or long ago. */
export async function listSome(client: Client, posts: readonly Post[], signal: AbortSignal): Promise<void> {
  const random = client.random('lists')
  for (; !signal.aborted; await pause(random, signal, 500, 1_500)) {
    const known = posts.filter(({ id, batch }) => id !== undefined && batch !== undefined)
    if (known.length === 0) continue
    const { batch = '', template } = random.pick(random.fraction() < 0.5 ? known.slice(-20) : known)
    const ofTemplate = random.fraction() < 0.5 ? template?.id : undefined
    await listAll(client, posts, { batch, template: ofTemplate }, random.pick(client.gateways))
  }
}

/** A list has every generation that was accepted before and that it asks for, once, and no other. */
export const listsAreWhole: Check = function* ({ lists }) {
  for (const { gateway, query, wanted, got } of lists) {
    const ids = new Set(got.map(({ id }) => id))
    yield verdict(ids.size === got.length, () => `${gateway}: the list of ${query} has a generation twice`)
    for (const id of wanted) yield verdict(ids.has(id), () => `${gateway}: the list of ${query} lacks ${id}`)
    for (const { id, fits } of got) yield verdict(fits, () => `${gateway}: the list of ${query} has ${id}`)
  }
}
