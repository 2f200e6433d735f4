import { once } from 'node:events'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { CheckedTarget } from './checked-target.ts'
import type { EgressLimits } from './egress-policy.ts'
import { atMost } from './fetch-plain.ts'

/** A tunnel carries many resources of one host. Only their total size is visible to the proxy. */
const resourcesInATunnel = 10

/** Answers a CONNECT: passes bytes both ways until the tunnel is idle, exceeds the limit or is blocked. */
export async function openTunnel(
  socket: Duplex,
  head: Buffer,
  target: CheckedTarget,
  { resourceBytes, resourceTimeoutMs }: EgressLimits,
  shut: AbortSignal,
): Promise<void> {
  const upstream = connect({ ...target, autoSelectFamily: true })
  const close = () => {
    upstream.destroy()
    socket.destroy()
  }
  try {
    await once(upstream, 'connect', { signal: AbortSignal.any([shut, AbortSignal.timeout(resourceTimeoutMs)]) })
  } catch (err) {
    upstream.on('error', () => {}).destroy()
    throw err
  }
  upstream.setTimeout(resourceTimeoutMs, close)
  shut.addEventListener('abort', close)
  socket.write('HTTP/1.1 200 Connected\r\n\r\n')
  if (head.length > 0) upstream.write(head)
  await Promise.allSettled([
    pipeline(upstream, atMost(resourceBytes * resourcesInATunnel), socket),
    pipeline(socket, upstream),
  ])
  shut.removeEventListener('abort', close)
  close()
}
