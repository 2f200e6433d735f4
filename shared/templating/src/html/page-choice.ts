import { carryMark, formatMark, isCarry, isSumFormat } from './carried-sums.ts'
import { readMarkup } from './read-markup.ts'

/** The attribute of an element of a header or footer that is printed on some pages only. */
export const pagesMark = 'data-platen-pages'

const item = '(first|last|odd|even|[1-9]\\d{0,5}(\\s*-\\s*([1-9]\\d{0,5})?)?)'

/** What the attribute may have, in any case. */
export const pageChoicePattern = `^(?=[^]{0,256}$)\\s*(not\\s+)?${item}(\\s*,\\s*${item})*\\s*$`
const choice = new RegExp(pageChoicePattern, 'i')

export interface PageChoiceProblem {
  message: string
  /** An offset in the source. */
  at: number
}

const maxProblems = 10

const rules: Record<string, { isRight(value: string): boolean; such: string }> = {
  [pagesMark]: {
    isRight: (value) => choice.test(value),
    such: 'such as "first", "last", "odd", "2-4, 7-" or "not first"',
  },
  [carryMark]: { isRight: isCarry, such: '"brought" or "carried"' },
  [formatMark]: { isRight: isSumFormat, such: 'a currency such as "EUR", or the number of decimals' },
}

/** The values of a header or footer that cannot be read, without those that data complete. */
export function pageChoiceProblems(html: string): PageChoiceProblem[] {
  const problems: PageChoiceProblem[] = []
  if (!html.includes('data-platen-')) return problems
  readMarkup(html, {
    startTag: ({ attributes }) => {
      for (const { name, value, start } of attributes) {
        const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
        if (!rule || value.includes('{{') || problems.length === maxProblems || rule.isRight(value)) continue
        problems.push({ message: `${name}="${value.slice(0, 50)}" must be ${rule.such}`, at: start })
      }
    },
    style: () => {},
  })
  return problems
}
