/** A value before an operator. Strings are bytes; a name is an object, so that it differs from them. */
export type Operand = number | boolean | null | Uint8Array | { name: string } | Operand[] | Map<string, Operand>

export function isName(value: Operand | undefined): value is { name: string } {
  return typeof value === 'object' && value !== null && 'name' in value
}

/** An operator. */
export class Keyword {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}
export const endOfContainer = Symbol('] or >>')
export type Token = Operand | Keyword | typeof endOfContainer

const isSpace = (byte: number | undefined) =>
  byte === 0 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32
const delimiters = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)))
const isRegular = (byte: number | undefined) => byte !== undefined && !isSpace(byte) && !delimiters.has(byte)
const maxDepth = 32

/** Reads the values and operators of a content stream one after the other. */
export class ContentReader {
  position = 0
  readonly #bytes: Uint8Array
  #depth = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  skipSpace(): number {
    for (;;) {
      const byte = this.#bytes[this.position]
      if (byte === 0x25) {
        while (this.position < this.#bytes.length && !isEndOfLine(this.#bytes[this.position])) this.position += 1
      } else if (isSpace(byte)) this.position += 1
      else return this.position
    }
  }

  read(): Token {
    this.skipSpace()
    const byte = this.#bytes[this.position]
    const next = this.#bytes[this.position + 1]
    if (byte === 0x2f) return { name: this.#readName() }
    if (byte === 0x28) return this.#readLiteral()
    if (byte === 0x3c && next !== 0x3c) return this.#readHex()
    if (byte === 0x3c) return this.#readDictionary()
    if (byte === 0x5b) return this.#readArray()
    if (byte === 0x5d || byte === 0x3e) {
      this.position += byte === 0x3e && next === 0x3e ? 2 : 1
      return endOfContainer
    }
    if (!isRegular(byte)) {
      this.position += 1
      return endOfContainer
    }
    return this.#readWord()
  }

  /** The dictionary of an inline image. Its data end at an `EI` that is a word, after which comes text (8.9.7). */
  readInlineImage(): Map<string, Operand> {
    const entries = this.#readEntries((token) => token instanceof Keyword && token.text === 'ID')
    this.position += 1
    for (; this.position < this.#bytes.length; this.position++) {
      const at = this.position
      if (this.#bytes[at] !== 0x45 || this.#bytes[at + 1] !== 0x49) continue
      if (!isSpace(this.#bytes[at - 1]) || isRegular(this.#bytes[at + 2])) continue
      const following = this.#bytes.subarray(at + 2, at + 12)
      if (following.some((byte) => byte > 0x7e || (byte < 0x20 && !isSpace(byte)))) continue
      this.position = at + 2
      break
    }
    return entries
  }

  #readName(): string {
    this.position += 1
    const text = this.#readRegular()
    return text.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  }

  #readRegular(): string {
    const from = this.position
    while (isRegular(this.#bytes[this.position])) this.position += 1
    return Buffer.from(this.#bytes.subarray(from, this.position)).toString('latin1')
  }

  #readWord(): Token {
    const word = this.#readRegular()
    if (/^[+-]?[\d.]/.test(word)) return Number.parseFloat(word) || 0
    if (word === 'true' || word === 'false') return word === 'true'
    return word === 'null' ? null : new Keyword(word)
  }

  #readLiteral(): Uint8Array {
    const result: number[] = []
    this.position += 1
    for (let open = 1; this.position < this.#bytes.length; this.position++) {
      const byte = this.#bytes[this.position] ?? 0
      if (byte === 0x5c) {
        this.#readEscape(result)
        continue
      }
      if (byte === 0x28) open += 1
      if (byte === 0x29) open -= 1
      if (open === 0) break
      result.push(byte)
    }
    this.position += 1
    return Uint8Array.from(result)
  }

  /** Leaves the position at the last byte of the escape sequence (7.3.4.2). */
  #readEscape(result: number[]): void {
    this.position += 1
    const byte = this.#bytes[this.position] ?? 0
    const octal = /^[0-7]{1,3}/.exec(
      Buffer.from(this.#bytes.subarray(this.position, this.position + 3)).toString('latin1'),
    )
    if (octal !== null) {
      result.push(Number.parseInt(octal[0], 8) & 0xff)
      this.position += octal[0].length - 1
    } else if (byte === 0x0d) {
      if (this.#bytes[this.position + 1] === 0x0a) this.position += 1
    } else if (byte !== 0x0a) result.push(escapes.get(byte) ?? byte)
  }

  #readHex(): Uint8Array {
    const from = this.position + 1
    let to = from
    while (to < this.#bytes.length && this.#bytes[to] !== 0x3e) to += 1
    this.position = to + 1
    const digits = Buffer.from(this.#bytes.subarray(from, to))
      .toString('latin1')
      .replace(/[^0-9A-Fa-f]/g, '')
    return Uint8Array.from(Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex'))
  }

  #readDictionary(): Map<string, Operand> {
    this.position += 2
    return this.#nested(() => this.#readEntries((token) => token === endOfContainer))
  }

  #readArray(): Operand[] {
    this.position += 1
    return this.#nested(() => {
      const values: Operand[] = []
      while (this.skipSpace() < this.#bytes.length) {
        const token = this.read()
        if (token === endOfContainer) break
        if (!(token instanceof Keyword)) values.push(token)
      }
      return values
    })
  }

  #readEntries(isEnd: (token: Token) => boolean): Map<string, Operand> {
    const entries = new Map<string, Operand>()
    let key: string | undefined
    while (this.skipSpace() < this.#bytes.length) {
      const token = this.read()
      if (isEnd(token)) break
      if (token === endOfContainer || token instanceof Keyword) continue
      if (key !== undefined) {
        entries.set(key, token)
        key = undefined
      } else if (isName(token)) key = token.name
    }
    return entries
  }

  #nested<Value>(read: () => Value): Value {
    this.#depth += 1
    if (this.#depth > maxDepth) throw new Error('a content stream nests arrays too deeply')
    const value = read()
    this.#depth -= 1
    return value
  }
}

const isEndOfLine = (byte: number | undefined) => byte === 10 || byte === 13
const escapes = new Map([
  [0x6e, 10],
  [0x72, 13],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
])
