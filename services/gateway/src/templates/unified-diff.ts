import { createTwoFilesPatch, formatPatch } from 'diff'

/** Meanwhile no other request is served. */
const maxMs = 25

export interface ComparedTexts {
  before: string
  after: string
  /** The names of the texts in the diff. */
  older: string
  newer: string
}

/** A unified diff by lines. Of texts that differ too much, all that is between their first and last difference. */
export function unifiedDiff({ before, after, older, newer }: ComparedTexts): string {
  return (
    createTwoFilesPatch(older, newer, before, after, undefined, undefined, { context: 3, timeout: maxMs }) ??
    wholeDiff({ before, after, older, newer })
  )
}

function wholeDiff({ before, after, older, newer }: ComparedTexts): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  const shortest = Math.min(old.length, now.length)
  let start = 0
  while (start < shortest && old[start] === now[start]) start++
  let end = 0
  while (end < shortest - start && old.at(-1 - end) === now.at(-1 - end)) end++
  const [removed, added] = [old.slice(start, old.length - end), now.slice(start, now.length - end)]
  const lines = [...marked('-', removed), ...marked('+', added)]
  const at = (count: number) => (count === 0 ? start : start + 1)
  return formatPatch({
    oldFileName: older,
    newFileName: newer,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [
      {
        ...{ oldStart: at(removed.length), oldLines: removed.length },
        ...{ newStart: at(added.length), newLines: added.length, lines },
      },
    ],
  })
}

/** The lines with their ends. */
const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

const noEnd = '\\ No newline at end of file'

function marked(sign: '-' | '+', lines: readonly string[]): string[] {
  return lines.flatMap((line) => (line.endsWith('\n') ? [sign + line.slice(0, -1)] : [sign + line, noEnd]))
}
