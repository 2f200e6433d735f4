import { withEntries } from './incremental-update.ts'
import { reference } from './pdf-dictionary.ts'
import type { PdfObjects } from './pdf-objects.ts'
import { readTextString, writeTextString } from './text-string.ts'

/** Chromium's outline has an item for each heading. */
const maxItems = 20_000

/**
 * Restores the spaces that Chromium drops from outline titles of headings with several lines: it writes "State ofthe
 * Estuary" for `State of<br>the Estuary`. Headings and items are compared without white space, in document order.
 */
export function spacedTitles(
  { object }: PdfObjects,
  catalogue: number,
  headings: readonly (readonly string[])[],
): Map<number, string> {
  const changed = new Map<number, string>()
  const { entries } = object(catalogue)
  if (headings.length === 0 || !entries.has('Outlines')) return changed
  let next = 0
  const waiting = [reference(object(catalogue), 'Outlines')]
  for (let visited = 0; waiting.length > 0 && visited < maxItems; visited++) {
    const number = waiting.pop() ?? 0
    const item = object(number)
    const title = readTextString(item.entries.get('Title') ?? '')
    for (let at = next; title !== undefined && at < headings.length; at++) {
      const spaced = withSpaces(title, headings[at] ?? [])
      if (spaced === undefined) continue
      next = at + 1
      if (spaced !== title) changed.set(number, withEntries(item, { Title: writeTextString(spaced) }))
      break
    }
    if (item.entries.has('Next')) waiting.push(reference(item, 'Next'))
    if (item.entries.has('First')) waiting.push(reference(item, 'First'))
  }
  return changed
}

const spaces = /[\s\u00ad]/u

/**
 * The text without white space and in capitals, because `text-transform` may print it so. Letters whose capital is
 * longer are kept.
 */
const comparable = (text: string) =>
  text.replace(/[\s\u00ad]+/gu, '').replace(/\p{Ll}/gu, (letter) => {
    const capital = letter.toUpperCase()
    return capital.length === letter.length ? capital : letter
  })

/**
 * Undefined if the title is not that of the heading. It may have more before and after, and other capitals.
 */
function withSpaces(title: string, lines: readonly string[]): string | undefined {
  const parts = lines.map(comparable)
  const printed = comparable(title)
  const from = printed.indexOf(parts.join(''))
  if (from === -1) return undefined
  const ends = new Set<number>()
  let end = from
  for (const part of parts.slice(0, -1)) {
    end += part.length
    ends.add(end)
  }
  let text = ''
  let counted = 0
  for (let at = 0; at < title.length; at++) {
    const character = title[at] ?? ''
    if (!spaces.test(character)) {
      if (ends.has(counted) && !/\s$/.test(text)) text += ' '
      counted += 1
    }
    text += character
  }
  return text
}
