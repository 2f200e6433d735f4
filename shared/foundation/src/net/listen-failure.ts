import { once } from 'node:events'
import { createServer } from 'node:net'

/** The settings that an address to listen on comes from. */
export interface ListenSettings {
  host: string
  port: number
  portSetting: string
}

/** The error for a failed `listen`, which names the setting that is wrong. */
export function listenFailure(cause: unknown, { host, port, portSetting }: ListenSettings): Error {
  const { code, syscall } = cause as NodeJS.ErrnoException
  const isHost = syscall === 'getaddrinfo' || code === 'EADDRNOTAVAIL' || code === 'EINVAL'
  const shown = host.includes(':') ? `[${host}]` : host
  return new Error(`${isHost ? 'HOST' : portSetting}: cannot listen on ${shown}:${port}`, { cause })
}

/** Throws `listenFailure` if a server could not listen there now. */
export async function checkCanListen(settings: ListenSettings): Promise<void> {
  const server = createServer()
  try {
    server.listen(settings.port, settings.host)
    await once(server, 'listening')
  } catch (cause) {
    throw listenFailure(cause, settings)
  } finally {
    server.close()
  }
}
