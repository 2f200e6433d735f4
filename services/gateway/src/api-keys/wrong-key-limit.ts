import { isIP } from 'node:net'
import { LruCache } from '@platen/foundation/runtime/lru-cache.ts'

/** More than a client with a revoked key sends, and far less than guessing a key needs. */
const maxWrongKeys = 200
const windowMs = 60_000

interface Window {
  count: number
  endsAt: number
}

/** Counts the wrong API keys of each client address in a minute. */
export class WrongKeyLimit {
  readonly #windows = new LruCache<Window>({ maxCount: 10_000, maxWeight: 1_000_000 })

  /** Counts a wrong key. Returns the seconds to wait if the address has sent too many. */
  count(address: string): number | undefined {
    const network = networkOf(address)
    const now = performance.now()
    const known = this.#windows.get(network)
    const window = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs }
    window.count++
    this.#windows.set(network, window)
    return window.count > maxWrongKeys ? Math.ceil((window.endsAt - now) / 1_000) : undefined
  }
}

/** An IPv4 address, or the first 64 bits of an IPv6 address: a client has all addresses with these. */
function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (isIP(mapped) !== 6) return mapped
  const [head = ''] = mapped.split('::', 1)
  return [...head.split(':'), '0', '0', '0', '0'].slice(0, 4).join(':')
}
