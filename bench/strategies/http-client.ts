import { Agent, request } from 'node:http'

export interface HttpAnswer {
  status: number
  body: Buffer
}

export interface HttpClient extends Disposable {
  /** A Buffer is sent unchanged, any other body as JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<HttpAnswer>
  get(path: string): Promise<HttpAnswer>
}

/** Throws an error with the answer unless it is a PDF. */
export function expectPdf({ status, body }: HttpAnswer): { bytes: number } {
  if (status !== 200) throw new Error(`the answer is ${status}: ${body.toString().slice(0, 500)}`)
  if (!body.subarray(0, 5).equals(pdfHeader)) throw new Error(`the answer is no PDF: ${body.toString().slice(0, 100)}`)
  return { bytes: body.byteLength }
}

const pdfHeader = Buffer.from('%PDF-')

/** A minimal client with keep-alive connections, because it shares the machine with the measured server. */
export function openHttpClient(url: string, headers: Record<string, string> = {}, maxSockets = 128): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets })
  const send = (method: string, path: string, body?: Buffer, more: Record<string, string> = {}) =>
    new Promise<HttpAnswer>((resolve, reject) => {
      const length = body && { 'content-type': 'application/json', 'content-length': body.byteLength }
      const sent = request(
        new URL(path, url),
        { method, agent, headers: { ...headers, ...length, ...more } },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
          answer.on('error', reject)
        },
      )
      // The server may close an idle connection while a request is on its way to it.
      sent.on('error', (err: NodeJS.ErrnoException) =>
        sent.reusedSocket && err.code === 'ECONNRESET' ? resolve(send(method, path, body, more)) : reject(err),
      )
      sent.end(body)
    })
  return {
    post: (path, body, more) =>
      send('POST', path, Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body)), more),
    get: (path) => send('GET', path),
    [Symbol.dispose]: () => agent.destroy(),
  }
}
