import { connect } from 'node:net'

/** Sends a text, and then another one again and again, until the server closes the connection. Returns what was answered. */
export async function sendUntilClosed(url: string, first: string, again: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes
  })
  // ECONNRESET, or EPIPE.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(first)
  const send = () => {
    while (!socket.destroyed && socket.write(again));
  }
  socket.on('drain', send)
  send()
  await closed
  return answer
}
