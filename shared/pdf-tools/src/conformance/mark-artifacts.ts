import { readOperations } from './content-operations.ts'
import { isName, type Operand } from './content-reader.ts'

const pathStarts = new Set(['m', 're'])
const pathPaints = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const otherPaints = new Set(['Tj', 'TJ', "'", '"', 'Do', 'sh', 'BI'])

/**
 * Marks what is painted outside the structure as an artifact (ISO 14289-1, 7.1: content is tagged or an artifact), such as
 * backgrounds, borders, headers and footers. Returns undefined if everything is marked.
 *
 * `isTagged` tells whether a form XObject has tagged content of its own, and `hasIdentifier` whether named properties of
 * `BDC` have an MCID.
 */
export function markArtifacts(
  content: Uint8Array,
  { isTagged, hasIdentifier }: { isTagged(xobject: string): boolean; hasIdentifier(properties: string): boolean },
): Uint8Array | undefined {
  const marks: boolean[] = []
  const insertions: { at: number; text: string }[] = []
  let pathStart: number | undefined
  for (const { operator, operands, start, end } of readOperations(content)) {
    if (operator === 'BMC' || operator === 'BDC') marks.push(isMark(operands, hasIdentifier))
    else if (operator === 'EMC') marks.pop()
    else if (pathStarts.has(operator)) pathStart ??= start
    else if (operator === 'n') pathStart = undefined
    const isPath = pathPaints.has(operator)
    if (!isPath && !otherPaints.has(operator)) continue
    const [first] = operands
    const isOwn = operator === 'Do' && isName(first) && isTagged(first.name)
    if (!marks.includes(true) && !isOwn) {
      insertions.push(
        { at: isPath ? (pathStart ?? start) : start, text: ' /Artifact BMC ' },
        { at: end, text: ' EMC ' },
      )
    }
    if (isPath) pathStart = undefined
  }
  return insertions.length === 0 ? undefined : withInsertions(content, insertions)
}

function isMark([tag, properties]: Operand[], hasIdentifier: (properties: string) => boolean): boolean {
  if (isName(tag) && tag.name === 'Artifact') return true
  if (isName(properties)) return hasIdentifier(properties.name)
  return properties instanceof Map && properties.has('MCID')
}

function withInsertions(content: Uint8Array, insertions: readonly { at: number; text: string }[]): Uint8Array {
  const parts: Uint8Array[] = []
  let from = 0
  for (const { at, text } of insertions) {
    parts.push(content.subarray(from, at), Buffer.from(text))
    from = at
  }
  return Buffer.concat([...parts, content.subarray(from)])
}
