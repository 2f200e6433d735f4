import type { Payload, Targets } from '../payloads/payload.ts'
import type { Ports } from './canaries.ts'

/** A payload with its targets filled in, ready to be printed. */
export interface Attack {
  name: string
  reaches: NonNullable<Payload['reaches']>
  html: string
  headerHtml?: string
  footerHtml?: string
}

export interface TargetRange {
  host: string
  ports: Ports
  /** A folder with the secret. */
  files: string
}

export function aim({ name, html, headerHtml, footerHtml, reaches = 'http' }: Payload, range: TargetRange): Attack {
  const at = targets(name, range)
  return {
    name,
    reaches,
    html: html(at),
    ...(headerHtml && { headerHtml: headerHtml(at) }),
    ...(footerHtml && { footerHtml: footerHtml(at) }),
  }
}

function targets(name: string, { host, ports, files }: TargetRange): Targets {
  return {
    host,
    port: ports.http,
    tcp: `${host}:${ports.tcp}`,
    udp: `${host}:${ports.udp}`,
    files,
    http: `http://${host}:${ports.http}/${name}`,
    https: `https://${host}:${ports.tcp}/${name}`,
    ws: `ws://${host}:${ports.http}/${name}`,
    wss: `wss://${host}:${ports.tcp}/${name}`,
  }
}
