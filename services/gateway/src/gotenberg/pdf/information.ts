import type { InformationValue } from '@platen/domain/document/pdf-operation.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { refuse } from '../answers/refused.ts'

const unwritable =
  'The requested metadata could not be written; ensure values are valid and free of control characters.'

/** Groups of names that are about the file on a disk, which no PDF has. */
const ofFiles = /^(System|File|ExifTool|Composite)(:|$)/i
const filesOnly = /^(FileName|Directory|TestName|HardLink|SymLink)$/i
/** A group before a name, such as `XMP-dc:Title`. */
const group = /^.*:/

/** Metadata as the PDF tools write them. Answers 400 for names and values that cannot be. */
export function informationOf(metadata: JsonObject): Record<string, InformationValue> {
  const entries = Object.entries(metadata).flatMap(([name, value]): [string, InformationValue][] => {
    if (ofFiles.test(name)) return []
    const bare = name.replace(group, '')
    if (filesOnly.test(bare)) return []
    if (!/^[A-Za-z][A-Za-z0-9_-]{0,99}$/.test(bare)) return refuse(400, unwritable)
    return [[bare, readValue(value)]]
  })
  return Object.fromEntries(entries)
}

function readValue(value: unknown): InformationValue {
  const isText = (item: unknown): item is string => typeof item === 'string' && !/\p{Cc}/u.test(item)
  if (isText(value) || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value) && value.every(isText)) return value
  return refuse(400, unwritable)
}
