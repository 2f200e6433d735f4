import { diff3Merge } from 'node-diff3'

/** Lines that both sides have changed since their common base, each in its own way. */
export interface Clash {
  theirs: string
  mine: string
}

export const choices = ['theirs', 'mine', 'both'] as const
export type Choice = (typeof choices)[number]

/** The changes of both sides in one text. */
export interface TextMerge {
  /** Text, and what is to be chosen. */
  parts: readonly (string | Clash)[]
  /** By the place of a clash among the parts. */
  chosen: Readonly<Record<number, Choice>>
  /** What was typed instead, when nothing was to be chosen any more. */
  edited?: string
}

/** The time to compare texts grows with the square of their lines. Longer ones are chosen as a whole. */
const maxLines = 5_000

/** Merges line by line. What only one side has changed is taken from it (diff3, Khanna, Kunal and Pierce 2007). */
export function mergeTexts(base: string, theirs: string, mine: string): TextMerge {
  if (theirs === base || theirs === mine) return wholeText(mine)
  if (mine === base) return wholeText(theirs)
  const lines = { theirs: linesOf(theirs), base: linesOf(base), mine: linesOf(mine) }
  if (Object.values(lines).some(({ length }) => length > maxLines)) return { parts: [{ theirs, mine }], chosen: {} }
  const regions = diff3Merge(lines.theirs, lines.base, lines.mine, { excludeFalseConflicts: true })
  const parts = regions.map(({ ok, conflict }) =>
    conflict ? { theirs: conflict.a.join(''), mine: conflict.b.join('') } : (ok ?? []).join(''),
  )
  return { parts, chosen: {} }
}

/** The text of a whole side. */
export const wholeText = (text: string): TextMerge => ({ parts: [text], chosen: {} })

export const isClash = (part: string | Clash): part is Clash => typeof part !== 'string'

/** Whether something is to be chosen. */
export const isOpen = ({ parts, chosen, edited }: TextMerge): boolean =>
  edited === undefined && parts.some((part, at) => isClash(part) && chosen[at] === undefined)

/** What will be saved. Where nothing is chosen yet, mine. */
export function mergedText({ parts, chosen, edited }: TextMerge): string {
  if (edited !== undefined) return edited
  return parts.map((part, at) => (isClash(part) ? textOf(part, chosen[at] ?? 'mine') : part)).join('')
}

function textOf({ theirs, mine }: Clash, choice: Choice): string {
  if (choice !== 'both') return { theirs, mine }[choice]
  return theirs === '' || theirs.endsWith('\n') ? theirs + mine : `${theirs}\n${mine}`
}

/** With the end of each line. */
const linesOf = (text: string) => (text === '' ? [] : text.split(/(?<=\n)/))
