import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeByteRange, writeSignature } from './byte-range.ts'
import { cmsSignature } from './cms-signature.ts'
import { readPkcs12, type SigningKey } from './read-pkcs12.ts'
import { requestTimeStamp } from './time-stamp.ts'

export interface SigningKeysOptions {
  /** Has a file `<name>.p12` for each key, and its password in `<name>.password`. */
  folder: string
  /** With one, signatures have a time stamp: level B-T of PAdES instead of B-B. */
  timeStampUrl?: string | undefined
}

/** A key is missing or cannot be used. The message is for the client, and says nothing of the folder. */
export class SigningKeyUnusable extends Error {
  override readonly name = 'SigningKeyUnusable'
}

/** The signing keys of a deployment. They are read at each use, so that a replaced file takes effect at once. */
export class SigningKeys {
  readonly #options: SigningKeysOptions

  constructor(options: SigningKeysOptions) {
    this.#options = options
  }

  /** The common name of who signs. Throws SigningKeyUnusable. */
  async signerOf(name: string): Promise<string> {
    const { subject } = (await this.#read(name)).certificate
    return /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replace(/\n/g, ', ')
  }

  /**
   * Writes the value of the signature that `prepareSignature` has left room for. Throws SigningKeyUnusable and
   * TimeStampFailed.
   */
  async complete(prepared: Uint8Array, name: string, signal?: AbortSignal): Promise<Uint8Array> {
    const key = await this.#read(name)
    const { timeStampUrl } = this.#options
    const pdf = Buffer.from(prepared)
    const { digest, place } = writeByteRange(pdf)
    const timeStamp =
      timeStampUrl === undefined ? undefined : (hash: Uint8Array) => requestTimeStamp(timeStampUrl, hash, signal)
    writeSignature(pdf, place, await cmsSignature(digest, key, timeStamp))
    return pdf
  }

  async #read(name: string): Promise<SigningKey> {
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) throw new SigningKeyUnusable(`There is no signing key ${name}`)
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

  async #file(file: string, name: string): Promise<Buffer> {
    try {
      return await readFile(join(this.#options.folder, file))
    } catch (cause) {
      const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
      const what = isMissing ? `There is no signing key ${name}` : `The signing key ${name} cannot be read`
      throw new SigningKeyUnusable(what, { cause })
    }
  }
}

function readKey(file: Buffer, password: string, name: string): SigningKey {
  try {
    return readPkcs12(file, password)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new SigningKeyUnusable(`The signing key ${name} cannot be used: ${why}`, { cause })
  }
}
