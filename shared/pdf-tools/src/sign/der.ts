// Distinguished Encoding Rules (ITU-T X.690), as far as certificates and signatures need them.

export const tags = {
  integer: 0x02,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  sequence: 0x30,
  set: 0x31,
} as const

/** A tag, the length of the content, and the content. */
export function encode(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const size: number[] = []
  for (let rest = body.length; rest > 0; rest = Math.floor(rest / 256)) size.unshift(rest % 256)
  const length = body.length < 128 ? [body.length] : [0x80 | size.length, ...size]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

export const sequence = (...items: readonly Uint8Array[]) => encode(tags.sequence, ...items)
export const octetString = (bytes: Uint8Array) => encode(tags.octetString, bytes)
/** `[number]`, constructed. */
export const context = (number: number, ...items: readonly Uint8Array[]) => encode(0xa0 | number, ...items)

/** In DER the items of a SET OF are sorted by their encoding. */
export function setOf(items: readonly Uint8Array[]): Buffer {
  return encode(tags.set, ...items.toSorted((a, b) => Buffer.compare(a, b)))
}

/** An unsigned integer. */
export function integer(value: number | Uint8Array): Buffer {
  const bytes = typeof value === 'number' ? Uint8Array.of(value) : value
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0
  return encode(tags.integer, isNegative ? Buffer.concat([Buffer.of(0), bytes]) : bytes)
}

export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second]
  for (const part of rest) {
    const groups = [part & 0x7f]
    for (let high = Math.floor(part / 128); high > 0; high = Math.floor(high / 128))
      groups.unshift((high & 0x7f) | 0x80)
    bytes.push(...groups)
  }
  return encode(tags.objectIdentifier, Uint8Array.from(bytes))
}

/** An AlgorithmIdentifier. RSA and hashes have the parameters NULL. */
export function algorithm(dotted: string, hasNull = true): Buffer {
  return sequence(objectIdentifier(dotted), ...(hasNull ? [encode(tags.null)] : []))
}

/** A value that was read. `encoded` is all of it, with tag and length. */
export class DerNode {
  readonly tag: number
  readonly content: Buffer
  readonly encoded: Buffer

  constructor(tag: number, content: Buffer, encoded: Buffer) {
    this.tag = tag
    this.content = content
    this.encoded = encoded
  }

  /** The values in a constructed value. */
  get children(): DerNode[] {
    const found: DerNode[] = []
    for (let at = 0; at < this.content.length; ) {
      const node = readDer(this.content.subarray(at))
      found.push(node)
      at += node.encoded.length
    }
    return found
  }

  /** A child by its place. Throws if there is none. */
  child(index: number): DerNode {
    const found = this.children[index]
    if (found === undefined) throw new Error('an ASN.1 value is missing')
    return found
  }

  /** The dotted form of an object identifier. */
  get identifier(): string {
    const [first = 0, ...rest] = this.content
    const parts = [Math.min(2, Math.floor(first / 40)), first - 40 * Math.min(2, Math.floor(first / 40))]
    let part = 0
    for (const byte of rest) {
      part = part * 128 + (byte & 0x7f)
      if ((byte & 0x80) !== 0) continue
      parts.push(part)
      part = 0
    }
    return parts.join('.')
  }

  /** The bytes of an octet string, also of one that is in several pieces (BER). */
  get octets(): Buffer {
    return (this.tag & 0x20) === 0 ? this.content : Buffer.concat(this.children.map((child) => child.octets))
  }

  get number(): number {
    return this.content.reduce((sum, byte) => sum * 256 + byte, 0)
  }
}

/** The first value. Lengths may be indefinite, as in BER. Throws if the bytes end before it. */
export function readDer(bytes: Uint8Array): DerNode {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tag = buffer[0]
  const first = buffer[1]
  if (tag === undefined || first === undefined) throw new Error('an ASN.1 value is cut off')
  if (first === 0x80) return readIndefinite(tag, buffer)
  const count = first < 0x80 ? 0 : first & 0x7f
  if (count > 4) throw new Error('an ASN.1 value is too long')
  const length = count === 0 ? first : buffer.subarray(2, 2 + count).reduce((sum, byte) => sum * 256 + byte, 0)
  const start = 2 + count
  if (start + length > buffer.length) throw new Error('an ASN.1 value is cut off')
  return new DerNode(tag, buffer.subarray(start, start + length), buffer.subarray(0, start + length))
}

function readIndefinite(tag: number, buffer: Buffer): DerNode {
  let at = 2
  while (buffer[at] !== 0 || buffer[at + 1] !== 0) at += readDer(buffer.subarray(at)).encoded.length
  return new DerNode(tag, buffer.subarray(2, at), buffer.subarray(0, at + 2))
}
