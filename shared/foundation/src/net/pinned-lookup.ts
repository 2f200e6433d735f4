import type { LookupFunction } from 'node:net'
import type { ResolvedAddress } from './public-address.ts'

/**
 * A `lookup` option that answers with addresses that were checked before, so that a changed DNS record (DNS rebinding)
 * cannot redirect the connection. Node does not call it for literal addresses.
 */
export function pinnedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (hostname, options, callback) => {
    const [first] = addresses
    if (options.all) callback(null, [...addresses])
    else if (first) callback(null, first.address, first.family)
    else callback(new Error(`no address for ${hostname}`), '')
  }
}
