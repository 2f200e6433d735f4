import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape
  body: any
}

export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Sends the bytes and reads the first response. */
export async function sendRaw(url: string, bytes: string | Buffer): Promise<RawAnswer> {
  const socket = await openSocket(url)
  try {
    socket.write(bytes)
    return await readAnswer(socket, { hasBody: !String(bytes.slice(0, 5)).startsWith('HEAD ') })
  } finally {
    socket.destroy()
  }
}

/** `hasBody`: false for the answer to a HEAD, which has the `Content-Length` of a GET. */
export async function readAnswer(socket: Socket, { hasBody = true } = {}): Promise<RawAnswer> {
  let text = ''
  for await (const chunk of socket) {
    text += chunk
    const [head = '', rest] = text.split('\r\n\r\n', 2)
    if (rest === undefined) continue
    const [statusLine = '', ...lines] = head.split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
    )
    if (hasBody && Buffer.byteLength(rest) < Number(headers['content-length'] ?? 0)) continue
    const status = Number(statusLine.split(' ')[1])
    return { status, headers, body: rest === '' ? undefined : JSON.parse(rest) }
  }
  throw new Error(`connection closed without a response: ${JSON.stringify(text)}`)
}
