import { setTimeout as delay } from 'node:timers/promises'
import type { Generation } from '@platen/domain/generation/generation.ts'
import { toolExamples } from '../../../../services/gateway/src/pdf-tools/tool-examples.ts'
import { tools as allTools } from '../../../../services/gateway/src/pdf-tools/tools.ts'
import { type Client, type Kind, pause } from '../client.ts'
import type { Receivers } from '../deliveries/receivers.ts'
import { firstNumber, type Post } from '../generations/post.ts'
import type { Door } from '../system.ts'

/** Signing needs a key of the deployment. */
const tools = allTools.filter(({ name }) => name !== 'sign')
const submitWithinMs = 180_000

export interface PdfToolClients {
  /** The operations, and what posts each of them to a gateway until it is accepted. */
  operations: readonly string[]
  post(operation: string, gateway: Door): Promise<void>
}

/** Asynchronous operations on PDFs with an Idempotency-Key, each a generation with a webhook. A stamp makes its text known. */
export function pdfToolPosts(client: Client, { receiver }: Pick<Receivers, 'receiver'>, posts: Post[]): PdfToolClients {
  let next: number = firstNumber.pdfTool
  const post = async (operation: string, gateway: Door) => {
    const tool = tools.find(({ operationId }) => operationId === operation)
    if (!tool) throw new Error(`there is no operation ${operation}`)
    const n = next++
    const text = `Document ${n}.`
    const webhookUrl = receiver.url(`/${n}`)
    const wanted: Post = { n, keyed: true, tries: 0, cancelled: false, text, webhookUrl }
    posts.push(wanted)
    const body = { ...bodyOf(tool.name, text), async: true, webhook_url: webhookUrl }
    const random = client.random(text)
    for (const deadline = Date.now() + submitWithinMs; Date.now() < deadline; await delay(random.between(50, 500))) {
      wanted.tries += 1
      const answer = await client.send<Generation>(gateway, {
        operation,
        path: `/v1/pdf/${tool.name}`,
        expected: [202],
        body,
        headers: { 'idempotency-key': `${client.seed} ${n}` },
      })
      if (answer.body?.id === undefined) continue
      wanted.id = answer.body.id
      return
    }
  }
  return { operations: tools.map(({ operationId }) => operationId), post }
}

/** Programs that work on PDFs. */
export function pdfToolClients(client: Client, receivers: Receivers, posts: Post[]): Kind {
  const { gateways } = client
  const { operations, post } = pdfToolPosts(client, receivers, posts)
  return {
    operations,
    async run(signal) {
      const random = client.random('operations on PDFs')
      // Each is posted at least once, also in a short run.
      for (let n = 0; n < operations.length || !signal.aborted; n++) {
        await post(operations[n % operations.length] ?? '', random.pick(gateways))
        await pause(random, signal, 300, 1_200)
      }
    },
    async probe(gateway) {
      for (const operation of operations) await post(operation, gateway)
    },
  }
}

function bodyOf(name: string, text: string): object {
  const example = toolExamples[name]
  const stamps = [{ text, font_size: 10 }]
  if (name === 'stamp') return { ...example, stamps }
  // A password would hide the text from the test.
  if (name === 'protect') return { ...example, protect: { permissions: { extract: false } }, output: { stamps } }
  return { ...example, output: { stamps } }
}
