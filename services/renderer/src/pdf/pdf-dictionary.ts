/** A dictionary of a PDF (ISO 32000-1, 7.3.7). */
export interface PdfDictionary {
  /** The source text of the dictionary, from `<<` to `>>`. */
  text: string
  /** The source text of each value, by its key without the slash. */
  entries: ReadonlyMap<string, string>
  /** The offset after its `>>`. */
  end: number
}

/** Reads the dictionary at an offset, in time linear to its length. Strings in it are not taken for syntax. */
export function readDictionary(bytes: Buffer, start: number): PdfDictionary {
  let at = skipSpace(bytes, start)
  const from = at
  if (tokenAt(bytes, at) !== '<<') broken('a dictionary is expected')
  const entries = new Map<string, string>()
  for (at = skipSpace(bytes, at + 2); tokenAt(bytes, at) !== '>>'; ) {
    const key = tokenAt(bytes, at)
    if (!key.startsWith('/')) broken(`a key is expected, not ${key.slice(0, 20)}`)
    const valueAt = skipSpace(bytes, at + key.length)
    let end = endOfValue(bytes, valueAt)
    // A reference is three tokens: 5 0 R.
    for (at = skipSpace(bytes, end); !isKeyOrEnd(bytes, at); at = skipSpace(bytes, end)) end = endOfToken(bytes, at)
    entries.set(key.slice(1), bytes.toString('latin1', valueAt, end))
  }
  const end = at + 2
  return { text: bytes.toString('latin1', from, end), entries, end }
}

/** The number of the object that an entry refers to. */
export function reference({ entries }: PdfDictionary, key: string): number {
  return Number(/^(\d+)\s+\d+\s+R$/.exec(entries.get(key) ?? '')?.[1] ?? broken(`no /${key}`))
}

/** An entry that is a whole number. */
export function integer({ entries }: PdfDictionary, key: string): number | undefined {
  const text = entries.get(key) ?? ''
  return /^\d+$/.test(text) ? Number(text) : undefined
}

export function broken(what: string): never {
  throw new Error(`cannot read the printed PDF: ${what}`)
}

function endOfValue(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; ; at = skipSpace(bytes, at)) {
    const token = tokenAt(bytes, at)
    if (token === '<<' || token === '[') depth += 1
    if (token === '>>' || token === ']') depth -= 1
    at = endOfToken(bytes, at)
    if (depth <= 0) return at
  }
}

function isKeyOrEnd(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x2f || (bytes[at] === 0x3e && bytes[at + 1] === 0x3e)
}

const tokenAt = (bytes: Buffer, at: number) => bytes.toString('latin1', at, endOfToken(bytes, at))

const spaces = new Set(Buffer.from('\0\t\n\f\r '))
const delimiters = new Set(Buffer.from('()<>[]{}/%'))

/** Behind white space and comments. */
function skipSpace(bytes: Buffer, start: number): number {
  let at = start
  for (; at < bytes.length; at++) {
    if (bytes[at] === 0x25) while (at + 1 < bytes.length && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1
    else if (!spaces.has(bytes[at] ?? 0)) break
  }
  return at
}

function endOfToken(bytes: Buffer, at: number): number {
  const [first, second] = [bytes[at], bytes[at + 1]]
  if (first === undefined) return broken('it ends within a dictionary')
  if (first === 0x28) return endOfString(bytes, at)
  if ((first === 0x3c || first === 0x3e) && second === first) return at + 2
  if (first === 0x3c) return bytes.indexOf('>', at) + 1 || broken('a string has no end')
  if (first !== 0x2f && delimiters.has(first)) return at + 1
  let end = at + 1
  while (end < bytes.length && !spaces.has(bytes[end] ?? 0) && !delimiters.has(bytes[end] ?? 0)) end += 1
  return end
}

/** Parentheses in a string are balanced or escaped (7.3.4.2). */
function endOfString(bytes: Buffer, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === 0x5c) at += 1
    else if (byte === 0x28) depth += 1
    else if (byte === 0x29 && --depth === 0) return at + 1
  }
  return broken('a string has no end')
}
