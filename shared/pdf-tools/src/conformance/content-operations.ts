import { ContentReader, endOfContainer, Keyword, type Operand } from './content-reader.ts'

/** An operator with its operands. `start` and `end` are positions in the content stream. */
export interface Operation {
  operator: string
  operands: Operand[]
  start: number
  end: number
}

/** The operators of a content stream (ISO 32000-1, 7.8.2). An inline image is one operation, `BI`, with its dictionary. */
export function* readOperations(content: Uint8Array): Generator<Operation> {
  const reader = new ContentReader(content)
  let operands: Operand[] = []
  let start = -1
  for (;;) {
    const at = reader.skipSpace()
    if (at >= content.length) return
    if (start < 0) start = at
    const value = reader.read()
    if (value === endOfContainer) continue
    if (!(value instanceof Keyword)) {
      operands.push(value)
      continue
    }
    const image = value.text === 'BI' ? reader.readInlineImage() : undefined
    yield { operator: value.text, operands: image === undefined ? operands : [image], start, end: reader.position }
    operands = []
    start = -1
  }
}
