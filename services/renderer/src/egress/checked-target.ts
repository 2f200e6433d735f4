import { isIP, type LookupFunction } from 'node:net'
import { defined } from '@platen/foundation/json/defined.ts'
import { pinnedLookup } from '@platen/foundation/net/pinned-lookup.ts'
import {
  type Resolve,
  type ResolvedAddress,
  resolvePublic,
  UrlNotAllowed,
} from '@platen/foundation/net/public-address.ts'
import type { EgressPolicy } from './egress-policy.ts'
import { noPublicAddress, privateOrUnknown, Refusal } from './refusal.ts'

/** A checked address to connect to. `lookup` returns the addresses that were checked, even if DNS has changed since. */
export interface CheckedTarget {
  host: string
  port: number
  lookup: LookupFunction
}

/**
 * Ports that a tunnel may lead to. The proxy cannot see the content of a tunnel (any method, WebSockets), so it allows
 * only the usual ports of TLS. Plain GET requests may go to any port that the browser itself does not block.
 */
const tlsPorts: readonly number[] = [443, 8443]
/** The browser does not check the port of a base URL, so ports of other protocols are refused here. */
const basePorts: readonly number[] = [80, 8080]

/** Plain HTTP, a tunnel, or a fetch from the host of the base URL. */
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
  return { host: withoutBrackets(url.hostname), port, lookup: pinnedLookup(addresses) }
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')

async function addressesOf(hostname: string, { policy, resolve }: TargetRules): Promise<ResolvedAddress[]> {
  try {
    return await resolvePublic(hostname, { allowPrivate: policy === 'any', ...defined({ resolve }) })
  } catch (err) {
    if (err instanceof UrlNotAllowed) {
      throw new Refusal(403, err.message, isIP(withoutBrackets(hostname)) ? noPublicAddress : privateOrUnknown)
    }
    throw new Refusal(
      502,
      `${hostname} cannot be resolved`,
      policy === 'any' ? 'its host cannot be found' : privateOrUnknown,
    )
  }
}
