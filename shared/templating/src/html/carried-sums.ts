import Big from 'big.js'
import { readMarkup } from './read-markup.ts'
import { attributeValue } from './read-tag.ts'

/** On an element of the document: the amount that it adds to the sum. */
export const amountMark = 'data-platen-amount'
/** On an element of a header or footer: `brought` or `carried`. Elements of the class `subtotal` in it show the sum. */
export const carryMark = 'data-platen-carry'
/** Beside `data-platen-carry`: a currency, or the number of decimals. */
export const formatMark = 'data-platen-format'

export const maxFormats = 10
export const isCarry = (text: string) => text === 'brought' || text === 'carried'
export const isSumFormat = (text: string) => /^(\d|[a-z]{3})$/i.test(text)

/** The formats in a header or footer. Undefined if it shows no sums. */
export function sumFormats(html: string): string[] | undefined {
  if (!html.includes(carryMark)) return undefined
  const formats = new Set<string>()
  readMarkup(html, {
    startTag: ({ attributes }) => {
      if (attributeValue(attributes, carryMark) !== undefined) formats.add(attributeValue(attributes, formatMark) ?? '')
    },
    style: () => {},
  })
  return [...formats].slice(0, maxFormats)
}

/** The sums at the ends of pages, as headers and footers show them. */
export interface CarriedSums {
  /** The page of the first amount. */
  first: number
  /**
   * Sums by format. The first is up to the end of page `first`, followed by one for each later page before that of the
   * last amount.
   */
  texts: Record<string, string[]>
}

export interface Amount {
  /** A text for which `isAmount` is true. */
  text: string
  page: number
}

export const isAmount = (text: string) => /^[-+]?\d{1,30}(\.\d{1,20})?$/.test(text)

const Decimal = Big()

/** Undefined without an amount. Sums are exact; they are rounded where they are shown. */
export function carriedSums(
  amounts: readonly Amount[],
  formats: readonly string[],
  locale = 'en-US',
): CarriedSums | undefined {
  if (amounts.length === 0) return undefined
  const byPage = new Map<number, Big>()
  for (const { text, page } of amounts)
    byPage.set(page, (byPage.get(page) ?? new Decimal(0)).plus(text.replace('+', '')))
  const pages = [...byPage.keys()]
  const [first, last] = [Math.min(...pages), Math.max(...pages)]
  const sums: string[] = []
  let sum = new Decimal(0)
  for (let page = first; page < last; page++) {
    sum = sum.plus(byPage.get(page) ?? 0)
    sums.push(sum.toFixed())
  }
  const texts = Object.fromEntries(
    formats.map((name) => {
      const { format } = new Intl.NumberFormat(locale, formatOptions(name))
      return [name, sums.map((one) => format(one as Intl.StringNumericLiteral))]
    }),
  )
  return { first, texts }
}

function formatOptions(format: string): Intl.NumberFormatOptions {
  if (/^[a-z]{3}$/i.test(format)) return { style: 'currency', currency: format }
  const decimals = /^\d$/.test(format) ? Number(format) : 2
  return { minimumFractionDigits: decimals, maximumFractionDigits: decimals }
}
