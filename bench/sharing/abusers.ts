import { Agent, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { label } from '../documents/label.ts'

/** What an abusive API key does until the signal aborts, and what it was answered. */
export interface Abuser {
  name: string
  attack(target: Target, signal: AbortSignal): Promise<Map<string, number>>
}

export interface Target {
  url: string
  apiKey: string
}

const endless = { html: '<script>for (;;);</script>' }

interface Attack {
  body: () => object
  /** Requests at once. */
  connections: number
  /** The client closes the connection after this time. */
  dropAfterMs?: number
  pauseMs?: number
}

/** Each connection sends its next request as soon as the last one has ended. */
export const abusers: readonly Abuser[] = [
  abuser('endless documents, dropped after 0.2 s', { body: () => endless, connections: 30, dropAfterMs: 200 }),
  abuser('endless documents', { body: () => endless, connections: 30 }),
  abuser('endless documents, six a minute', { body: () => endless, connections: 1, dropAfterMs: 200, pauseMs: 9_800 }),
  abuser('labels', { body: () => ({ html: label().html }), connections: 32 }),
  abuser('asynchronous labels', { body: () => ({ html: label().html, async: true }), connections: 8 }),
  abuser('asynchronous endless documents', { body: () => ({ ...endless, async: true }), connections: 2, pauseMs: 50 }),
]

function abuser(name: string, { body, connections, dropAfterMs, pauseMs = 0 }: Attack): Abuser {
  return {
    name,
    async attack(target, signal) {
      const answers = new Map<string, number>()
      const agent = new Agent({ keepAlive: true, maxSockets: connections })
      const work = async () => {
        while (!signal.aborted) {
          const answer = await post(agent, target, body(), { signal, dropAfterMs })
          answers.set(answer, (answers.get(answer) ?? 0) + 1)
          await delay(pauseMs, undefined, { signal }).catch(() => {})
        }
      }
      await Promise.all(Array.from({ length: connections }, work))
      agent.destroy()
      return answers
    },
  }
}

interface Waiting {
  signal: AbortSignal
  dropAfterMs: number | undefined
}

/** The status of the answer, or `dropped`. */
function post(agent: Agent, { url, apiKey }: Target, body: object, { signal, dropAfterMs }: Waiting): Promise<string> {
  return new Promise((resolve) => {
    const end = (answer: string) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', drop)
      resolve(answer)
    }
    const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
    const sent = request(new URL('/v1/generate', url), { method: 'POST', agent, headers }, (answer) => {
      answer.resume()
      answer.on('end', () => end(String(answer.statusCode)))
    })
    const drop = () => sent.destroy()
    const timer = dropAfterMs === undefined ? undefined : setTimeout(drop, dropAfterMs)
    signal.addEventListener('abort', drop)
    sent.on('error', () => end('dropped'))
    sent.end(JSON.stringify(body))
  })
}
