import { ObjectStoreUnavailable } from '../../object-store.ts'
import { BadStatus, codeOf } from './errors.ts'
import type { S3Location } from './url.ts'

const unknownHost = ['ENOTFOUND', 'EAI_AGAIN', 'EAI_NODATA', 'EAI_NONAME']
const refused = ['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'EPIPE']

/** The error of a start at which the store could not be used. Its line names the setting, and no key. */
export function startFailure({ host, port }: Pick<S3Location, 'host' | 'port'>, cause: unknown): Error {
  // A bug of ours.
  if (cause instanceof TypeError) return cause
  const server = port === undefined ? host : `${host}:${port}`
  return new ObjectStoreUnavailable(`OBJECT_STORE_URL: ${problemOf(server, host, cause)}`, { cause })
}

function problemOf(server: string, host: string, err: unknown): string {
  const code = codeOf(err) ?? ''
  if (unknownHost.includes(code)) return `the host ${host} is not known (${code})`
  if (refused.includes(code)) return `no object store answers at ${server} (${code})`
  if (code === 'TIMEOUT' || (err instanceof Error && err.name === 'TimeoutError')) {
    return `no object store answers at ${server} in time (TIMEOUT)`
  }
  const isForeign = code.startsWith('HPE_') || (err instanceof BadStatus && code.startsWith('HTTP '))
  if (isForeign) return `what answers at ${server} is not an object store (${code})`
  return `the object store at ${server} cannot be used (${code || 'unexpected response'})`
}
