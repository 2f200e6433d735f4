import { changedFields, type FieldName, type Fields, fieldText } from '../model/fields.ts'
import { mergeTexts, type TextMerge } from './text-merge.ts'

/** What each field becomes that differs between the two sides. */
export type Merge = Readonly<Partial<Record<FieldName, TextMerge>>>

/** A field that both sides have changed is merged line by line. */
export function mergeOf(base: Fields, theirs: Fields, mine: Fields): Merge {
  const text = (fields: Fields, name: FieldName) => fieldText(fields, name)
  return Object.fromEntries(
    changedFields(theirs, mine).map((name) => [
      name,
      mergeTexts(text(base, name), text(theirs, name), text(mine, name)),
    ]),
  )
}
