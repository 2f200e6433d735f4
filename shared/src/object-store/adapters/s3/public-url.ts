import { Client } from 'minio'
import type { S3Address } from './url.ts'

type PublicAddress = (key: string, options: { expiresInS: number; filename: string }) => Promise<string>

/** The longest that a signature of version 4 may hold. */
const maxExpiryS = 7 * 24 * 60 * 60

/** Signs addresses for the public host: a signature covers the host that the request will name. Asks nobody. */
export function publicAddresses(publicUrl: string | undefined, address: S3Address): PublicAddress | undefined {
  if (publicUrl === undefined) return undefined
  const { hostname, port, protocol } = parsePublicUrl(publicUrl)
  const client = new Client({
    endPoint: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey: address.accessKey,
    secretKey: address.secretKey,
    region: address.region,
  })
  return (key, { expiresInS, filename }) => {
    const lastsS = Math.max(1, Math.min(Math.floor(expiresInS), maxExpiryS))
    return client.presignedGetObject(address.bucket, key, lastsS, {
      'response-content-disposition': `inline; filename="${filename.replace(/["\\\r\n]/g, '_')}"`,
    })
  }
}

function parsePublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A path would be signed as if it were the bucket's.
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url
  throw new Error('OBJECT_STORE_PUBLIC_URL must be https://host[:port], without a path')
}
