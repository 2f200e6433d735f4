import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeByteRange, writeSignature } from './byte-range.ts'
import { cmsSignature } from './cms-signature.ts'
import { readPkcs12, type SigningKey } from './read-pkcs12.ts'
import { requestTimeStamp, TimeStampFailed } from './time-stamp.ts'

/** A key is missing or cannot be used. The message is for the client, and says nothing of the folder. */
export class SigningKeyUnusable extends Error {
  override readonly name = 'SigningKeyUnusable'
}

/** The signing keys of a deployment. They are read at each use, so that a replaced file takes effect at once. */
export class SigningKeys {
  readonly #folder: string

  /**
   * `folder` has a file `<name>.p12` for each key, and its password in `<name>.password`. With a file `time-stamp-url`, signatures
   * have a time stamp of that authority: level B-T of PAdES instead of B-B. A file `<name>.allow` has the ids of the owners and the API
   * keys that may sign with the key, one a line, or `*` for all; without it, nobody may.
   */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** The common name of who signs, for a caller with these ids. Throws SigningKeyUnusable, also if the caller may not use the key. */
  async signerOf(name: string, ids: readonly string[]): Promise<string> {
    checkName(name)
    const allowed = await this.#allowed(name)
    if (allowed && !['*', ...ids].some((id) => allowed.includes(id))) throw new SigningKeyUnusable(noKey(name))
    const { subject } = (await this.#read(name)).certificate
    if (!allowed) throw new SigningKeyUnusable(`The operator has not said who may use the signing key ${name}`)
    return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replace(/\n/g, ', ')
  }

  /**
   * Writes the value of the signature that `prepareSignature` has left room for. Throws SigningKeyUnusable and
   * TimeStampFailed.
   */
  async complete(prepared: Uint8Array, name: string, signal?: AbortSignal): Promise<Uint8Array> {
    const key = await this.#read(name)
    const timeStampUrl = await this.#timeStampUrl()
    const pdf = Buffer.from(prepared)
    const { digest, place } = writeByteRange(pdf)
    const timeStamp =
      timeStampUrl === undefined ? undefined : (hash: Uint8Array) => requestTimeStamp(timeStampUrl, hash, signal)
    writeSignature(pdf, place, await cmsSignature(digest, key, timeStamp))
    return pdf
  }

  async #read(name: string): Promise<SigningKey> {
    checkName(name)
    const file = await this.#file(`${name}.p12`, name)
    const password = (await this.#file(`${name}.password`, name)).toString('utf8').replace(/\r?\n$/, '')
    const key = readKey(file, password, name)
    const { validFromDate, validToDate } = key.certificate
    const now = Date.now()
    if (now < validFromDate.getTime() || now > validToDate.getTime()) {
      throw new SigningKeyUnusable(
        `The certificate of the signing key ${name} is valid from ${validFromDate.toISOString()} to ${validToDate.toISOString()}`,
      )
    }
    return key
  }

  /** Undefined without a list. */
  async #allowed(name: string): Promise<string[] | undefined> {
    const list = await readFile(join(this.#folder, `${name}.allow`), 'utf8').catch((cause: NodeJS.ErrnoException) => {
      if (cause.code === 'ENOENT') return undefined
      throw new SigningKeyUnusable(`The signing key ${name} cannot be read`, { cause })
    })
    return list?.split('\n').flatMap((line) => line.trim() || [])
  }

  async #timeStampUrl(): Promise<string | undefined> {
    const url = (await readFile(join(this.#folder, 'time-stamp-url'), 'utf8').catch(noFile)).trim()
    if (url === '') return undefined
    if (!/^https?:/.test(url) || !URL.canParse(url)) throw new TimeStampFailed('time-stamp-url has no URL')
    return url
  }

  async #file(file: string, name: string): Promise<Buffer> {
    try {
      return await readFile(join(this.#folder, file))
    } catch (cause) {
      const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
      const what = isMissing ? noKey(name) : `The signing key ${name} cannot be read`
      throw new SigningKeyUnusable(what, { cause })
    }
  }
}

const noKey = (name: string) => `There is no signing key ${name}`

function checkName(name: string): void {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) throw new SigningKeyUnusable(noKey(name))
}

/** A file that cannot be read is no missing one: without it, signatures would have no time stamp. */
function noFile(err: NodeJS.ErrnoException): string {
  if (err.code === 'ENOENT') return ''
  throw new TimeStampFailed('time-stamp-url cannot be read', { cause: err })
}

function readKey(file: Buffer, password: string, name: string): SigningKey {
  try {
    return readPkcs12(file, password)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SigningKeyUnusable(`The signing key ${name} cannot be used: ${why}`, { cause })
  }
}
