import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

export interface ResolvedAddress {
  address: string
  family: 4 | 6
}

/** A URL that must not be requested, for example because its host is not public. */
export class UrlNotAllowed extends Error {
  override readonly name = 'UrlNotAllowed'
}

const notPublic = (hostname: string) => new UrlNotAllowed(`${hostname} is not a public address`)

const reserved = new BlockList()
// Azure's platform services answer on this address, which is formally public.
reserved.addAddress('168.63.129.16')

/** Whether an IPv4 or IPv6 address is unicast on the public internet. False for names, octal numbers and zones. */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return false
  // `process` unwraps ::ffff:a.b.c.d, which the kernel treats as IPv4.
  const address = ipaddr.process(ip)
  if (address.range() !== 'unicast') return false
  // IANA assigns IPv6 unicast from 2000::/3 only; the rest includes ::a.b.c.d and site-local addresses.
  if (address.kind() === 'ipv6') return ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20
  return !reserved.check(address.toString())
}

/**
 * Resolves a host as written in a URL (name, `[::1]`, `0x7f.1`, `2130706433`). Rejects with UrlNotAllowed unless every
 * address is public, and with Node's lookup error when there is none. Connect to the returned addresses and do not
 * resolve the name again: a second lookup may answer differently (DNS rebinding).
 */
export async function resolvePublic(
  hostname: string,
  { allowPrivate, resolve = lookupAll }: { allowPrivate: boolean; resolve?: Resolve },
): Promise<ResolvedAddress[]> {
  const host = canonicalHost(hostname)
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host)
  const addresses = found.map(({ address, family }): ResolvedAddress => ({ address, family: family === 6 ? 6 : 4 }))
  if (allowPrivate) return addresses
  const own = ownAddresses()
  const isAllowed = ({ address }: ResolvedAddress) => isPublicAddress(address) && !own.check(address, familyOf(address))
  if (!addresses.every(isAllowed)) throw notPublic(hostname)
  return addresses
}

/** Looks up all addresses of a name. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>

const lookupAll: Resolve = (host) => lookup(host, { all: true })

/**
 * This machine's own addresses, including public ones: a firewall that keeps its ports from the internet does not
 * filter connections from the machine to itself.
 */
function ownAddresses(): BlockList {
  const own = new BlockList()
  for (const { address } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])) {
    own.addAddress(address, familyOf(address))
  }
  return own
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The host as browsers parse it (WHATWG URL): lower case, Punycode, IPv4 in four decimal numbers, no brackets. */
function canonicalHost(hostname: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const url = URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : hostname}/`)
  // The input contained more than a host, such as credentials, a port or a path.
  if (!url || url.href !== `http://${url.hostname}/`) throw notPublic(hostname)
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}
