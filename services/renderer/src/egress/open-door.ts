import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Resolve } from '@platen/shared/net/public-address.ts'
import type { Logger } from '@platen/shared/runtime/logger.ts'
import { checkTarget } from './checked-target.ts'
import type { EgressLimits, EgressPolicy } from './egress-policy.ts'
import { fetchPlain } from './fetch-plain.ts'
import { Refusal, whyNotFetched } from './refusal.ts'
import { openTunnel } from './tunnel.ts'

/**
 * One document's only way out: a forward proxy (RFC 9110, 7.6 and 9.3.6) on a port of its own, which lives as long as
 * the document's page and counts what it fetches.
 */
export interface Door extends AsyncDisposable {
  /** `http://127.…:port`: what the browser takes as its proxy. */
  url: string
  /** Ends what is under way and refuses the rest, so that a document waiting for resources stops waiting. */
  shut(): void
  /** Why it did not fetch what was asked for at this address, in words for the document's author. */
  whyNot(url: string): string | undefined
  /** What it did not fetch, and why; of tunnels only that: their addresses are not its to know. */
  refused(): Iterable<[url: string, why: string]>
  /** Opens it for the next document: what is counted starts at nothing. */
  renew(): void
}

export interface DoorOptions {
  host: string
  policy: EgressPolicy
  limits: EgressLimits
  log: Logger
  /** Absent: the system's resolver. */
  resolve?: Resolve
}

/** A document that asks for more is told of the first. */
const maxRefusals = 1_000

/** As the browser spells it, without its fragment. */
const refusalKey = (target = '') => (plainUrl(target)?.href ?? target).replace(/#.*/s, '')

/**
 * A loopback address that others on the machine do not know. Linux takes all of 127/8 as loopback; elsewhere only
 * 127.0.0.1 is one.
 */
export function doorHost(platform: NodeJS.Platform = process.platform): string {
  return platform === 'linux' ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}` : '127.0.0.1'
}

export async function openDoor({ host, policy, limits, log, resolve }: DoorOptions): Promise<Door> {
  let shut = new AbortController()
  let fetched = 0
  /** By address; by host and port where a tunnel was asked for. */
  const refusals = new Map<string, string>()

  const target = async (url: URL | null, kind: 'plain' | 'tunnel') => {
    if (!url) throw new Refusal(400, 'not a proxy request', 'not an address that can be loaded')
    if (shut.signal.aborted) throw new Refusal(403, 'the document has no time left to fetch', 'timed out')
    fetched += 1
    if (fetched > limits.resources) throw new Refusal(403, `more than ${limits.resources} resources`)
    return checkTarget(url, { policy, kind, ...(resolve && { resolve }) })
  }
  const refuse = (err: unknown, request: IncomingMessage): number => {
    if (refusals.size < maxRefusals) refusals.set(refusalKey(request.url), whyNotFetched(err))
    log.debug({ method: request.method, target: hostOf(request.url), reason: String(err) }, 'refused to a document')
    return err instanceof Refusal ? err.status : 502
  }

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    // Of the document that asks: by the time the name is resolved, the door may be another's.
    const { signal } = shut
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') throw new Refusal(405, 'only GET and HEAD')
      const url = plainUrl(request.url)
      await fetchPlain(request, response, { ...(await target(url, 'plain')), path: pathOf(url) }, limits, signal)
    } catch (err) {
      const status = refuse(err, request)
      if (response.headersSent) response.destroy()
      else response.writeHead(status, { 'content-length': 0, connection: 'close' }).end()
    }
  })
  server.on('connect', async (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const { signal } = shut
    try {
      await openTunnel(socket, head, await target(tunnelUrl(request.url), 'tunnel'), limits, signal)
    } catch (err) {
      socket.end(`HTTP/1.1 ${refuse(err, request)} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
    }
  })
  server.on('clientError', (_err, socket) => socket.destroy())
  server.listen(0, host)
  await once(server, 'listening')

  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    shut: () => shut.abort(noTimeLeft),
    whyNot(url) {
      const { protocol, hostname, port } = URL.parse(url) ?? {}
      const tunnel = /^(https|wss):$/.test(protocol ?? '')
      return refusals.get(tunnel ? `${hostname}:${port || 443}` : refusalKey(url))
    },
    refused: () => [...refusals].filter(([address]) => plainUrl(address)),
    renew() {
      shut.abort(documentDone)
      shut = new AbortController()
      fetched = 0
      refusals.clear()
    },
    async [Symbol.asyncDispose]() {
      shut.abort(documentDone)
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Made once: an error records its stack, and these end every document. */
const noTimeLeft = new Refusal(504, 'the document has no time left to fetch', 'timed out')
const documentDone = new Refusal(504, 'the document is done')

function plainUrl(text: string | undefined): URL | null {
  const url = URL.parse(text ?? '')
  return url?.protocol === 'http:' ? url : null
}

function tunnelUrl(authority: string | undefined): URL | null {
  return /^[^/@?#]+:\d+$/.test(authority ?? '') ? URL.parse(`http://${authority}/`) : null
}

const pathOf = (url: URL | null) => (url ? `${url.pathname}${url.search}` : '/')

/** Paths and queries are the author's own: they stay out of the log. */
const hostOf = (target: string | undefined) => (plainUrl(target) ?? tunnelUrl(target))?.host
