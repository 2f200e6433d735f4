import { Agent, type IncomingMessage, request } from 'node:http'

export interface Target {
  url: string
  /** API keys, used in round-robin order. */
  apiKeys: readonly string[]
}

export interface SendOptions {
  /** JSON, or bytes that are sent unchanged. */
  body?: object | Buffer
  headers?: Record<string, string>
  /** The client closes the connection after this time. */
  dropAfterMs?: number
}

/** Resolves with the answer's text, or `undefined` without one. */
export type Send = (method: string, path: string, options?: SendOptions) => Promise<string | undefined>

export interface Sent {
  /** Counts by status, or by why there was none. */
  answers: Map<string, number>
  accepted: number
  /** Bytes of the bodies of accepted requests. */
  acceptedBytes: number
}

const maxSockets = 32

/** Sends to one Platen until the signal aborts. */
export function openSender({ url, apiKeys }: Target, signal: AbortSignal): { send: Send; sent: Sent } & Disposable {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const sent: Sent = { answers: new Map(), accepted: 0, acceptedBytes: 0 }
  let requests = 0
  const send: Send = (method, path, { body, headers, dropAfterMs } = {}) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
    const authorization = `Bearer ${apiKeys[requests++ % apiKeys.length]}`
    const given = { ...(bytes && { 'content-type': 'application/json' }), ...headers, authorization }
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined
      const end = (answer: string, text?: string) => {
        clearTimeout(timer)
        sent.answers.set(answer, (sent.answers.get(answer) ?? 0) + 1)
        if (/^2/.test(answer)) {
          sent.accepted += 1
          sent.acceptedBytes += bytes?.length ?? 0
        }
        resolve(text)
      }
      const outgoing = request(new URL(path, url), { method, agent, signal, headers: given }, async (answer) => {
        const text = await textOf(answer).catch(() => undefined)
        end(text === undefined ? 'broken' : String(answer.statusCode), text)
      })
      let dropped = false
      outgoing.on('error', ({ name }) => end(name === 'AbortError' ? 'ended' : dropped ? 'dropped' : 'no answer'))
      if (dropAfterMs !== undefined) {
        timer = setTimeout(() => {
          dropped = true
          outgoing.destroy()
        }, dropAfterMs)
      }
      outgoing.end(bytes)
    })
  }
  return { send, sent, [Symbol.dispose]: () => agent.destroy() }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  answer.setEncoding('utf8')
  let text = ''
  for await (const part of answer) text += part
  return text
}
