import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import { hasBlockedPort } from '@platen/foundation/net/blocked-ports.ts'
import { pinnedLookup } from '@platen/foundation/net/pinned-lookup.ts'
import { type ResolvedAddress, resolvePublic, UrlNotAllowed } from '@platen/foundation/net/public-address.ts'
import { readBytes } from '@platen/foundation/runtime/read-bytes.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import { parse as parseDisposition } from 'content-disposition'
import { Refused, refuse } from '../answers/refused.ts'
import { extraHeaders } from './extra-headers.ts'
import type { FormFile } from './form.ts'
import { parseJson } from './parse-values.ts'
import { fileName } from './read-form.ts'

export interface DownloadOptions {
  /** Whether private addresses are allowed: the setting for webhooks. */
  allowPrivate: boolean
  /** Of all downloads together. */
  maxBytes: number
  timeoutMs: number
  /** Sent with each request to the origin of a URL, such as the trace of this one. */
  headers: Record<string, string>
  /** Aborts when the client has disconnected. */
  disconnected: AbortSignal
}

interface Download {
  url: string
  headers: Record<string, string>
  field: string
}

const maxDownloads = 100
const maxRedirects = 5

/** Downloads the files that the field `downloadFrom` lists. The addresses are checked as those of webhooks are. */
export async function downloadFiles(text: string, options: DownloadOptions): Promise<FormFile[]> {
  if (text === '') return []
  const signal = AbortSignal.any([options.disconnected, AbortSignal.timeout(options.timeoutMs)])
  const files: FormFile[] = []
  let leftBytes = options.maxBytes
  for (const download of readList(text)) {
    const file = await downloadFile(download, { ...options, maxBytes: leftBytes }, signal)
    leftBytes -= file.bytes.length
    files.push(file)
  }
  return files
}

function readList(text: string): Download[] {
  const invalid = (reason: string) => refuse(400, `Invalid 'downloadFrom' form field value: ${reason}`)
  let list: unknown
  try {
    list = parseJson(text)
  } catch (err) {
    return invalid((err as Error).message)
  }
  if (!Array.isArray(list)) return invalid('it must be a list')
  if (list.length > maxDownloads) return invalid(`it has more than ${maxDownloads} entries`)
  return list.map((entry: unknown, index) => {
    if (!isJsonObject(entry)) return invalid(`entry ${index} must be an object`)
    const { url, extraHttpHeaders = {}, embedded, field, ...unknown } = entry
    const [other] = Object.keys(unknown)
    if (other !== undefined) return invalid(`entry ${index} has the unknown field '${other}'`)
    if (typeof url !== 'string' || url.trim() === '') {
      return refuse(400, `Invalid 'downloadFrom' form field entry ${index}: URL must be set`)
    }
    return { url, headers: headersOf(extraHttpHeaders, index), field: fieldOf(field, embedded === true) }
  })
}

function headersOf(given: unknown, index: number): Record<string, string> {
  try {
    return extraHeaders(given)
  } catch (err) {
    return refuse(400, `Invalid 'downloadFrom' form field entry ${index}: extraHttpHeaders: ${(err as Error).message}`)
  }
}

function fieldOf(field: unknown, isEmbedded: boolean): string {
  if (isEmbedded || field === 'embedded') return 'embeds'
  return field === 'watermark' || field === 'stamp' ? field : 'files'
}

async function downloadFile(download: Download, options: DownloadOptions, signal: AbortSignal): Promise<FormFile> {
  const { url, field } = download
  try {
    const answer = await get(download, options, signal)
    if (answer.statusCode !== 200) {
      answer.destroy()
      refuse(400, `Unable to download file from '${url}': got status: '${answer.statusCode} ${answer.statusMessage}'`)
    }
    const name = nameOf(answer, url)
    return { field, name, bytes: await readAtMost(answer, options.maxBytes) }
  } catch (err) {
    options.disconnected.throwIfAborted()
    if (err instanceof Refused) throw err
    if (err instanceof UrlNotAllowed) throw new Refused(403, 'Forbidden', { cause: err })
    throw new Refused(400, `Unable to download file from '${url}': its server cannot be reached`, { cause: err })
  }
}

/** Sent with every request. */
const ownHeaders = { 'user-agent': 'Platen' }

/** Headers of the client do not go to another origin that a redirect leads to. */
async function get({ url: first, headers }: Download, options: DownloadOptions, signal: AbortSignal) {
  let url = new URL(first)
  let sent: Record<string, string> = { ...ownHeaders, ...headers, ...options.headers }
  for (let redirects = 0; ; redirects++) {
    assertAllowed(url)
    const lookup = pinnedLookup(await untilAborted(addressesOf(url, options), signal))
    const request = url.protocol === 'https:' ? https.request : http.request
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      request(url, { headers: sent, lookup, signal, agent: false })
        .once('response', resolve)
        .once('error', reject)
        .end()
    })
    const { statusCode = 0 } = answer
    const { location } = answer.headers
    if (statusCode < 300 || statusCode >= 400 || location === undefined || redirects === maxRedirects) return answer
    answer.destroy()
    const next = new URL(location, url)
    if (next.origin !== url.origin) sent = ownHeaders
    url = next
  }
}

/** As for webhooks. */
function assertAllowed(url: URL): void {
  if (!/^https?:$/.test(url.protocol)) throw new UrlNotAllowed(`${url.protocol} is not http`)
  if (url.username !== '' || url.password !== '') throw new UrlNotAllowed('the URL contains credentials')
  if (hasBlockedPort(url)) throw new UrlNotAllowed(`port ${url.port} is one of another protocol`)
}

/** Private and unknown hosts are refused alike, so that nobody finds out which internal names exist. */
async function addressesOf({ hostname }: URL, options: DownloadOptions): Promise<ResolvedAddress[]> {
  try {
    return await resolvePublic(hostname, options)
  } catch (cause) {
    if (options.allowPrivate || cause instanceof UrlNotAllowed) throw cause
    throw new UrlNotAllowed(`${hostname} cannot be found`, { cause })
  }
}

function nameOf({ headers }: IncomingMessage, url: string): string {
  const header = headers['content-disposition']
  if (header === undefined) return refuse(400, `No 'Content-Disposition' header from '${url}'`)
  const name = parseDisposition(Buffer.from(header, 'latin1').toString()).parameters.filename
  if (name === undefined) refuse(400, `Invalid 'Content-Disposition' header '${header}' from '${url}': no filename`)
  return fileName(name)
}

async function readAtMost(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) answer.destroy(new Refused(413, 'The downloaded files exceed the size limit of a request.'))
  })
  return readBytes(answer)
}
