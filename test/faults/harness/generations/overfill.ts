import { createHash } from 'node:crypto'
import type { Client } from '../client.ts'
import type { Door } from '../system.ts'
import { listAll } from './lists.ts'
import { firstNumber, type Post } from './post.ts'

/** More than one request for a list reads. */
const queued = 1_050
const lanes = 16

interface Clients {
  posts: Post[]
  submit: (post: Post, gateway: Door, body: object, accept: number[]) => Promise<boolean>
  cancel: (id: string, gateway: Door) => Promise<boolean>
}

/** Queues more generations than a list looks at, and lists the first of them. To be called while nothing is rendered. */
export async function overfill(client: Client, { posts, submit, cancel }: Clients): Promise<() => Promise<void>> {
  const { gateways } = client
  const random = client.random('overfill')
  const isQueued = ({ n }: Post) => n >= firstNumber.queued && n < firstNumber.pdfTool
  const from = firstNumber.queued + posts.filter(isQueued).length
  const first = `first ${from}`
  const added: Post[] = []
  const one = async () => {
    const n = from + added.length
    const text = `Document ${n}.`
    const html = `<p>${text}`
    const batch = added.length === 0 ? first : 'queued'
    const htmlSha256 = createHash('sha256').update(html).digest('hex')
    const post: Post = { n, keyed: false, tries: 0, cancelled: true, text, htmlSha256, batch }
    added.push(post)
    posts.push(post)
    await submit(post, random.pick(gateways), { html, async: true, metadata: { batch } }, [202])
  }
  const inLanes = (next: () => Promise<boolean>) =>
    Promise.all(
      Array.from({ length: lanes }, async () => {
        while (await next());
      }),
    )
  await one()
  await inLanes(async () => {
    if (added.length >= queued) return false
    await one()
    return true
  })
  for (const gateway of gateways) {
    await listAll(client, posts, { batch: first }, gateway)
    await listAll(client, posts, { batch: first, status: 'queued' }, gateway)
  }
  return async () => {
    const left = added.flatMap(({ id }) => id ?? [])
    await inLanes(async () => {
      const id = left.pop()
      if (id !== undefined) await cancel(id, random.pick(gateways))
      return id !== undefined
    })
  }
}
