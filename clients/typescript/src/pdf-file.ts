import { Deadline } from './deadline.ts'
import { hasType, otherFileTypes } from './expected-response.ts'
import { joined } from './joined.ts'
import { endsAsPdf, pdfEndLength, startsAsPdf } from './pdf-content.ts'
import { PlatenError, unexpectedResponse } from './platen-error.ts'
import { saveStream } from './save-stream.ts'

/** A file that is being downloaded: a PDF, or pictures or a ZIP file that were asked for. Its content can be read once: as a stream, as bytes or into a file. */
export interface PdfFile {
  /** The name for those who save it, such as `Invoice 2026-0042.pdf`. */
  readonly name: string
  /** Size in bytes. Undefined if a proxy has compressed the response. */
  readonly size: number | undefined
  /** If the connection breaks, the download continues there with a range request. */
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>
  /** The whole content. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
  /** Writes the content to this path while it arrives. The file exists only when it is whole. Not in browsers. */
  save(path: string): Promise<void>
}

export interface Source {
  /** Sends a GET with these headers. Rejects with a PlatenError for an error response. */
  get(headers: Record<string, string>, deadline: Deadline): Promise<Response>
  /** How long to wait for the first and for each further part, in milliseconds. */
  timeoutMs: number
  /** How often in succession the download is continued without receiving anything. */
  retries: number
  signal: AbortSignal | undefined
}

/** Codes of failures after which the download continues. */
const passing: readonly string[] = ['NETWORK_ERROR', 'TIMEOUT']

/** Resolves when the beginning of a file has arrived. */
export async function openPdf(source: Source): Promise<PdfFile> {
  const download = new Download(source)
  const response = await download.begin()
  const { headers } = response
  let first: Uint8Array<ArrayBuffer> | undefined = await download.firstPart(response)
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull: async (controller) => {
        const part = first ?? (await download.next())
        first = undefined
        if (part) controller.enqueue(part)
        else controller.close()
      },
      cancel: () => download.stop(),
    },
    { highWaterMark: 0 },
  )
  const { size } = download
  const save = (path: string) => saveStream(stream, path)
  return { name: fileName(headers), size, stream, bytes: () => readAll(stream), save }
}

/** The parts of a file, over as many responses as it takes. */
class Download {
  size: number | undefined
  readonly #source: Source
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
  #deadline: Deadline | undefined
  #tag: string | undefined
  /** The server sent the client to an object store, which has entity tags of its own. */
  #isRedirected = false
  #status: number | undefined
  #isPdf = true
  #received = 0
  #end: Uint8Array<ArrayBuffer> = new Uint8Array(0)

  constructor(source: Source) {
    this.#source = source
  }

  async begin(): Promise<Response> {
    const response = await this.#open({})
    const { headers, status } = response
    this.#status = status
    this.#isPdf = !otherFileTypes.some((type) => hasType(headers, type))
    const isEncoded = headers.has('content-encoding')
    const length = headers.get('content-length')
    this.size = isEncoded || length === null ? undefined : Number(length)
    this.#isRedirected = response.redirected
    const tag = headers.get('etag')
    if (tag !== null && !tag.startsWith('W/') && !isEncoded) this.#tag = tag
    return response
  }

  /** The first bytes of the file, enough to see that it is a PDF if it says so. */
  async firstPart(response: Response): Promise<Uint8Array<ArrayBuffer>> {
    let bytes: Uint8Array<ArrayBuffer> = new Uint8Array(0)
    while (bytes.length < 5) {
      const part = await this.next()
      if (!part) break
      bytes = joined(bytes, part)
    }
    if (startsAsPdf(bytes) || !this.#isPdf) return bytes
    this.stop()
    throw unexpectedResponse(response, bytes, 'its body is not a PDF')
  }

  /** Undefined at the end. */
  async next(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    for (let failures = 0; ; failures++) {
      try {
        if (failures > 0) await this.#continue()
        const part = await this.#read()
        if (part) this.#count(part)
        else this.#finish()
        return part
      } catch (err) {
        const error = this.#broken(err)
        if (this.#tag === undefined || !passing.includes(error.code) || failures >= this.#source.retries) throw error
      }
    }
  }

  #count(part: Uint8Array<ArrayBuffer>): void {
    this.#received += part.length
    const end = part.length < pdfEndLength ? joined(this.#end, part) : part
    this.#end = end.slice(-pdfEndLength)
  }

  #finish(): void {
    this.stop()
    if (this.#received === 0 || !this.#isPdf || endsAsPdf(this.#end)) return
    const message = `The PDF is not whole: it ends after ${this.#received} bytes`
    throw new PlatenError({ code: 'UNEXPECTED_RESPONSE', message, status: this.#status })
  }

  stop(): void {
    this.#deadline?.end()
    this.#reader?.cancel().catch(() => undefined)
  }

  async #read(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    this.#deadline?.restart()
    // Node forgets the signal of a request that was garbage-collected while the body of its response arrives.
    const read = this.#reader && (await this.#deadline?.during(this.#reader.read()))
    this.#deadline?.pause()
    if (!read?.done) return read?.value
    if (this.size === undefined || this.#received >= this.size) return undefined
    throw new Error(`the response ended after ${this.#received} of ${this.size} bytes`)
  }

  /** Throws the reason if the caller has aborted. */
  #broken(cause: unknown): PlatenError {
    this.stop()
    if (this.#source.signal?.aborted) throw this.#source.signal.reason
    if (cause instanceof PlatenError) return cause
    return new PlatenError({ code: 'NETWORK_ERROR', message: 'The download has failed', cause })
  }

  async #continue(): Promise<void> {
    const tag = this.#tag ?? ''
    const range = { range: `bytes=${this.#received}-` }
    const { status, headers } = await this.#open(this.#isRedirected ? range : { ...range, 'if-match': tag })
    if (status === 206 && headers.get('etag') === tag) return
    throw new PlatenError({ code: 'UNEXPECTED_RESPONSE', message: 'The rest of the file is not available', status })
  }

  async #open(headers: Record<string, string>): Promise<Response> {
    const { get, timeoutMs, signal } = this.#source
    const deadline = new Deadline(timeoutMs, signal)
    this.#deadline = deadline
    try {
      const response = await get(headers, deadline)
      this.#reader = response.body?.getReader() as ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
      deadline.pause()
      return response
    } catch (err) {
      deadline.end()
      throw err
    }
  }
}

async function readAll(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(stream).arrayBuffer())
}

/** The name of `Content-Disposition` (RFC 6266), without folders: a file is saved under it. */
export function fileName(headers: Headers): string {
  const header = headers.get('content-disposition') ?? ''
  const extended = /filename\*=utf-8''([^;\s]+)/i.exec(header)?.[1]
  const quoted = /filename="((?:[^"\\]|\\.)*)"/i.exec(header)?.[1]?.replace(/\\(.)/g, '$1')
  const name = (decoded(extended) ?? quoted ?? '').replace(/^.*[/\\]/s, '')
  return ['', '.', '..'].includes(name) ? 'document.pdf' : name
}

/** Undefined for what is not encoded as it says. */
function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}
