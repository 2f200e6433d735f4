import { defined } from '@platen/foundation/json/defined.ts'
/** A bucket and the keys to access it. */
export interface S3Location {
  host: string
  port: number | undefined
  tls: boolean
  bucket: string
  /** Prefix of every key, with a slash at its end; or empty. */
  prefix: string
  region: string
  accessKey: string
  secretKey: string
  /** Session token of temporary keys. */
  sessionToken?: string
}

export interface S3Keys {
  accessKey?: string | undefined
  secretKey?: string | undefined
  sessionToken?: string | undefined
}

/** A prefix without `.`, `..` and characters that S3 clients encode. */
const prefixPattern = /^([\w-][\w.-]*\/)*$/

const s3UrlForm = 's3://host:port/bucket?region=…&tls=true|false'

/** The rules for names that every S3 store accepts: labels as of a host name, and not an IP address. */
const bucketPattern =
  /^(?=.{3,63}$)(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/
const defaultRegion = 'us-east-1'

/**
 * Parses an s3:// OBJECT_STORE_URL. The default region is us-east-1, and TLS is on by default. Keys in the userinfo are
 * percent-decoded and override `keys`. Only with `mayHavePrefix` a path may follow the bucket. No error contains a part
 * of the userinfo.
 */
export function parseS3Url(text: string, keys: S3Keys = {}, { mayHavePrefix = false } = {}): S3Location {
  const url = URL.canParse(text) ? new URL(text) : refuse(`must be ${s3UrlForm}`)
  if (url.protocol !== 's3:' || url.hostname === '' || url.hash !== '') refuse(`must be ${s3UrlForm}`)
  const path = url.pathname.replace(/^\//, '').replace(/\/$/, '')
  const [bucket = '', ...folders] = mayHavePrefix ? path.split('/') : [path]
  if (!bucketPattern.test(bucket)) refuse(`must name a bucket that S3 allows, as in ${s3UrlForm}`)
  const prefix = folders.map((name) => `${name}/`).join('')
  if (!prefixPattern.test(prefix)) refuse('must have letters, digits and _.- only after the bucket')
  for (const name of url.searchParams.keys()) {
    if (name !== 'region' && name !== 'tls') refuse('allows no other settings than region and tls')
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? undefined : Number(url.port),
    tls: flag(url.searchParams.get('tls') ?? 'true'),
    bucket,
    prefix,
    region: url.searchParams.get('region') || defaultRegion,
    ...readKeys(url, keys),
  }
}

function flag(text: string): boolean {
  if (text !== 'true' && text !== 'false') refuse('must say tls=true or tls=false')
  return text === 'true'
}

function readKeys(url: URL, keys: S3Keys): Pick<S3Location, 'accessKey' | 'secretKey' | 'sessionToken'> {
  const accessKey = decoded(url.username) || keys.accessKey
  const secretKey = decoded(url.password) || keys.secretKey
  const { sessionToken } = keys
  if (accessKey && secretKey) return { accessKey, secretKey, ...defined({ sessionToken }) }
  throw new Error('An s3:// OBJECT_STORE_URL needs OBJECT_STORE_ACCESS_KEY and OBJECT_STORE_SECRET_KEY')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return refuse('must have its keys percent-encoded')
  }
}

function refuse(problem: string): never {
  throw new Error(`OBJECT_STORE_URL ${problem}`)
}
