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

const notForUs = new BlockList()
// Azure's platform services answer on an address that is public by the book.
notForUs.addAddress('168.63.129.16')

/** Whether a plain IPv4 or IPv6 address (no name, no octal, no zone) is unicast on the public internet. */
export function isPublicAddress(ip: string): boolean {
  if (isIP(ip) === 0 || ip.includes('%')) return false
  // `process` unwraps ::ffff:a.b.c.d, which the kernel takes as IPv4.
  const address = ipaddr.process(ip)
  if (address.range() !== 'unicast') return false
  // Of IPv6 only 2000::/3 is handed out (IANA); the rest holds forms such as ::a.b.c.d and site-local addresses.
  if (address.kind() === 'ipv6') return ((address.toByteArray()[0] ?? 0) & 0xe0) === 0x20
  return !notForUs.check(address.toString())
}

/**
 * The addresses of a host as a URL spells it (name, `[::1]`, `0x7f.1`, `2130706433`). Rejects with UrlNotAllowed
 * unless every one is public, and with Node's lookup error when there is none. Connect to an address returned here,
 * never to the name again: a second lookup may answer otherwise (DNS rebinding).
 */
export async function resolvePublic(
  hostname: string,
  { allowPrivate, resolve = lookupAll }: { allowPrivate: boolean; resolve?: Resolve },
): Promise<ResolvedAddress[]> {
  const host = canonicalHost(hostname)
  const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolve(host)
  const addresses = found.map(({ address, family }): ResolvedAddress => ({ address, family: family === 6 ? 6 : 4 }))
  if (allowPrivate) return addresses
  const ours = ownAddresses()
  const forAnyone = ({ address }: ResolvedAddress) =>
    isPublicAddress(address) && !ours.check(address, familyOf(address))
  if (!addresses.every(forAnyone)) throw notPublic(hostname)
  return addresses
}

/** Every address that a name has. */
export type Resolve = (host: string) => Promise<{ address: string; family: number }[]>

const lookupAll: Resolve = (host) => lookup(host, { all: true })

/**
 * This machine's own addresses, public ones too: what listens here may be kept from the internet by a firewall that
 * does not stand between a machine and itself.
 */
function ownAddresses(): BlockList {
  const own = new BlockList()
  for (const { address } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])) {
    own.addAddress(address, familyOf(address))
  }
  return own
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** As browsers read it (WHATWG URL, host parsing): lower case, Punycode, IPv4 in four decimal parts, no brackets. */
function canonicalHost(hostname: string): string {
  const bare = hostname.replace(/^\[(.*)\]$/, '$1')
  const url = URL.parse(`http://${isIP(bare) === 6 ? `[${bare}]` : hostname}/`)
  // Whatever is more than a host (credentials, a port, a path) is no host.
  if (!url || url.href !== `http://${url.hostname}/`) throw notPublic(hostname)
  return url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}
