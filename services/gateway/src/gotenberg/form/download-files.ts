import http, { type IncomingMessage } from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import { pinnedLookup } from '@platen/foundation/net/pinned-lookup.ts'
import { resolvePublic, UrlNotAllowed } from '@platen/foundation/net/public-address.ts'
import { parse as parseDisposition } from 'content-disposition'
import { Refused, refuse } from '../answers/refused.ts'
import type { FormFile } from './form.ts'
import { parseJson } from './parse-values.ts'
import { fileName } from './read-form.ts'

export interface DownloadOptions {
  /** Whether private addresses are allowed: the setting for webhooks. */
  allowPrivate: boolean
  /** Of all downloads together. */
  maxBytes: number
  timeoutMs: number
  /** Sent with each request, such as the trace of this one. */
  headers: Record<string, string>
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
  const signal = AbortSignal.timeout(options.timeoutMs)
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
    if (!isJsonObject(extraHttpHeaders)) return invalid(`extraHttpHeaders of entry ${index} must be an object`)
    const headers = Object.fromEntries(Object.entries(extraHttpHeaders).map(([name, value]) => [name, String(value)]))
    return { url, headers, field: fieldOf(field, embedded === true) }
  })
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
    if (err instanceof Refused) throw err
    if (err instanceof UrlNotAllowed) throw new Refused(403, 'Forbidden', { cause: err })
    throw new Refused(400, `Unable to download file from '${url}': its server cannot be reached`, { cause: err })
  }
}

async function get({ url: first, headers }: Download, options: DownloadOptions, signal: AbortSignal) {
  let url = new URL(first)
  for (let redirects = 0; ; redirects++) {
    if (!/^https?:$/.test(url.protocol)) throw new UrlNotAllowed(`${url.protocol} is not http`)
    const lookup = pinnedLookup(await resolvePublic(url.hostname, options))
    const request = url.protocol === 'https:' ? https.request : http.request
    const sent = { ...headers, ...options.headers }
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
    url = new URL(location, url)
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
  return buffer(answer)
}
