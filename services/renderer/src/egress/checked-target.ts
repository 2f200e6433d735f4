import type { LookupFunction } from 'node:net'
import { pinnedLookup } from '@platen/shared/net/pinned-lookup.ts'
import { type Resolve, type ResolvedAddress, resolvePublic, UrlNotAllowed } from '@platen/shared/net/public-address.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { noPublicAddress, Refusal } from './refusal.ts'

/** Where to connect: `lookup` answers with the addresses that were checked, whatever DNS says by then. */
export interface CheckedTarget {
  host: string
  port: number
  lookup: LookupFunction
}

/**
 * Ports a tunnel may lead to. What runs inside a tunnel is not seen (any method, WebSockets), so it only reaches where
 * TLS is spoken by custom; plain GETs may go to any port that the browser itself does not block.
 */
const tlsPorts: readonly number[] = [443, 8443]
/** No browser blocks the ports of other protocols for what a base URL names. */
const basePorts: readonly number[] = [80, 8080]

/** Plain HTTP, a tunnel, or what a document's own origin is fetched from. */
export type TargetKind = 'plain' | 'tunnel' | 'base'

export interface TargetRules {
  policy: EgressPolicy
  kind: TargetKind
  /** Absent: the system's resolver. */
  resolve?: Resolve
}

export async function checkTarget(url: URL, rules: TargetRules): Promise<CheckedTarget> {
  const { policy, kind } = rules
  if (policy === 'none') throw new Refusal(403, 'documents may fetch nothing')
  if (url.username || url.password) throw new Refusal(403, 'credentials in an address')
  const tls = url.protocol === 'https:'
  const port = Number(url.port || (tls ? 443 : 80))
  const ports = kind === 'tunnel' || tls ? tlsPorts : kind === 'base' ? basePorts : undefined
  if (policy === 'public' && ports && !ports.includes(port)) {
    throw new Refusal(403, `no ${kind === 'tunnel' ? 'tunnel' : 'connection'} to port ${port}`)
  }
  const addresses = await addressesOf(url.hostname, rules)
  return { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port, lookup: pinnedLookup(addresses) }
}

async function addressesOf(hostname: string, { policy, resolve }: TargetRules): Promise<ResolvedAddress[]> {
  try {
    return await resolvePublic(hostname, { allowPrivate: policy === 'any', ...(resolve && { resolve }) })
  } catch (err) {
    if (err instanceof UrlNotAllowed) throw new Refusal(403, err.message, noPublicAddress)
    throw new Refusal(
      502,
      `${hostname} cannot be resolved`,
      policy === 'any' ? 'its host cannot be found' : noPublicAddress,
    )
  }
}
