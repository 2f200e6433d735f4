import { defined } from '@platen/foundation/json/defined.ts'
import { Client } from 'minio'
import type { PublicUrlOptions } from '../../object-store.ts'
import type { S3Location } from './url.ts'

type SignUrl = (key: string, options: PublicUrlOptions) => Promise<string>

/** The maximum of Signature Version 4. */
const maxExpiryS = 7 * 24 * 60 * 60

/** Signs URLs of the public host, which the signature covers. Sends no requests. */
export function publicUrlSigner(publicUrl: string | undefined, location: S3Location): SignUrl | undefined {
  if (publicUrl === undefined) return undefined
  const { hostname, port, protocol } = parsePublicUrl(publicUrl)
  const client = new Client({
    endPoint: hostname.replace(/^\[(.*)\]$/, '$1'),
    ...(port !== '' && { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey: location.accessKey,
    secretKey: location.secretKey,
    ...defined({ sessionToken: location.sessionToken }),
    region: location.region,
  })
  return (key, { expiresInS, contentDisposition }) => {
    const lifetimeS = Math.max(1, Math.min(Math.floor(expiresInS), maxExpiryS))
    return client.presignedGetObject(location.bucket, `${location.prefix}${key}`, lifetimeS, {
      'response-content-disposition': contentDisposition,
    })
  }
}

function parsePublicUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  // A path would be taken for the bucket when signing.
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url
  throw new Error('OBJECT_STORE_PUBLIC_URL must be https://host[:port], without a path')
}
