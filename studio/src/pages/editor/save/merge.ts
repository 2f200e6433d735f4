import { changedFields, type FieldName, type Fields, fieldText } from '../model/fields.ts'

export interface Merge {
  /** What each field that differs becomes. */
  texts: Readonly<Partial<Record<FieldName, string>>>
  /** The fields that both sides have changed. */
  open: readonly FieldName[]
}

/** A merge by fields: a field that one side has changed is taken from it. Of those that both have changed, mine is proposed. */
export function mergeOf(base: Fields, theirs: Fields, mine: Fields): Merge {
  const [byThem, byMe] = [changedFields(base, theirs), changedFields(base, mine)]
  const differing = changedFields(theirs, mine)
  const texts = differing.map((name) => [name, fieldText(byMe.includes(name) ? mine : theirs, name)])
  return {
    texts: Object.fromEntries(texts),
    open: differing.filter((name) => byThem.includes(name) && byMe.includes(name)),
  }
}
