import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import Handlebars from 'handlebars'
import {
  type HelperCall,
  type HelperFamily,
  integerOf,
  isAbsent,
  listOf,
  numberOf,
  shown,
  textOf,
  valueAt,
  wrong,
} from './helper.ts'
import { cached, localeOf } from './intl.ts'

const many = 100
const graphemes = new Intl.Segmenter()

export const textHelpers: HelperFamily = {
  uppercase: {
    signature: 'uppercase text',
    does: 'Converts the text to upper case.',
    examples: [{ template: '{{uppercase "straße"}}', gives: 'STRASSE' }],
    args: [1, 1],
    run: (call) => textOf(call, call.args[0]).toUpperCase(),
  },
  lowercase: {
    signature: 'lowercase text',
    does: 'Converts the text to lower case.',
    examples: [{ template: '{{lowercase "ÉTÉ"}}', gives: 'été' }],
    args: [1, 1],
    run: (call) => textOf(call, call.args[0]).toLowerCase(),
  },
  capitalize: {
    signature: 'capitalize text',
    does: 'Converts the first letter to upper case.',
    examples: [{ template: '{{capitalize "élan vital"}}', gives: 'Élan vital' }],
    args: [1, 1],
    run: (call) => {
      const text = textOf(call, call.args[0])
      const first = String.fromCodePoint(text.codePointAt(0) ?? 32)
      return text === '' ? '' : first.toUpperCase() + text.slice(first.length)
    },
  },
  truncate: {
    signature: 'truncate text length [ellipsis]',
    does: 'Cuts the text after a number of characters (grapheme clusters) and adds the ellipsis, by default "…".',
    examples: [
      { template: '{{truncate "A long story" 6}}', gives: 'A long…' },
      { template: '{{truncate "👩‍👩‍👧 family" 1 ""}}', gives: '👩‍👩‍👧' },
    ],
    args: [2, 3],
    run: (call) => {
      const [value, length, ellipsis = '…'] = call.args
      const text = textOf(call, value)
      const end = cutAt(text, integerOf(call, length, 'the length', 0, 1_000_000))
      return end < text.length ? text.slice(0, end).trimEnd() + textOf(call, ellipsis) : text
    },
  },
  trim: {
    signature: 'trim text',
    does: 'Removes the spaces and line breaks at both ends.',
    examples: [{ template: '[{{trim "  a b "}}]', gives: '[a b]' }],
    args: [1, 1],
    run: (call) => textOf(call, call.args[0]).trim(),
  },
  replace: {
    signature: 'replace text search replacement',
    does: 'Replaces each occurrence of the search text, which is no pattern, with the replacement.',
    examples: [{ template: '{{replace "2026-01-31" "-" "/"}}', gives: '2026/01/31' }],
    args: [3, 3],
    run: (call) => {
      const [text = '', search = '', replacement = ''] = call.args.map((value) => textOf(call, value))
      if (search === '') return text
      const parts = text.split(search)
      const length = text.length + (parts.length - 1) * (replacement.length - search.length)
      return length > maxChars ? wrong(call, 'the result has more than 5 MiB') : parts.join(replacement)
    },
  },
  plural: {
    signature: 'plural count [one] [other] zero= one= two= few= many= other= locale=',
    does:
      'The word that goes with a number, by the rules of the locale: many languages have more than two forms. # in it is the number, ' +
      'formatted for the locale. A form that is not given is other.',
    examples: [
      { template: '{{plural 1 "# item" "# items"}}, {{plural 1200 "# item" "# items"}}', gives: '1 item, 1,200 items' },
      {
        template: '{{plural 3 one="# plik" few="# pliki" many="# plików" other="# pliku" locale="pl"}}',
        gives: '3 pliki',
      },
    ],
    args: [1, 3],
    hash: ['zero', 'one', 'two', 'few', 'many', 'other', 'locale'],
    run: plural,
  },
  join: {
    signature: 'join items [separator] ["path"]',
    does: 'Joins the items of a list, or the values at a path in each, with the separator, by default ", ".',
    examples: [
      { template: '{{join tags}}', data: { tags: ['a', 'b'] }, gives: 'a, b' },
      {
        template: '{{join people " + " "name"}}',
        data: { people: [{ name: 'Ada' }, { name: 'Bo' }] },
        gives: 'Ada + Bo',
      },
    ],
    args: [1, 3],
    run: (call) => {
      const [items, separator = ', ', path] = call.args
      const at = textOf(call, path)
      return listOf(call, items)
        .map((item) => textOf(call, at === '' ? item : valueAt(item, at)))
        .join(textOf(call, separator))
    },
  },
  split: {
    signature: 'split text [separator]',
    does: 'Splits the text at the separator, by default a comma, and trims the parts.',
    examples: [{ template: '{{#each (split "a, b")}}[{{this}}]{{/each}}', gives: '[a][b]' }],
    args: [1, 2],
    run: (call) => {
      const [value, separator] = call.args
      const text = textOf(call, value)
      const parts = text === '' ? [] : text.split(isAbsent(separator) ? ',' : textOf(call, separator), maxParts + 1)
      if (parts.length > maxParts) wrong(call, `the text has more than ${maxParts} parts`)
      return parts.map((part) => part.trim())
    },
  },
  default: {
    signature: 'default value fallback',
    does: 'The value, or the fallback if it is missing, null or an empty string.',
    examples: [{ template: '{{default note "none"}}', data: { note: '' }, gives: 'none' }],
    args: [2, 2],
    asks: true,
    run: ({ args: [value, fallback] }) => (isAbsent(value) ? fallback : value),
  },
  concat: {
    signature: 'concat a b …',
    does: 'Joins all values to one text.',
    examples: [{ template: '{{uppercase (concat "inv-" number)}}', data: { number: 7 }, gives: 'INV-7' }],
    args: [1, many],
    run: (call) => call.args.map((value) => textOf(call, value)).join(''),
  },
  nl2br: {
    signature: 'nl2br text',
    does: 'Escapes the text and adds a <br> at the end of each line.',
    examples: [{ template: '{{nl2br address}}', data: { address: 'A & B\nMain St' }, gives: 'A &amp; B<br>\nMain St' }],
    args: [1, 1],
    run: (call) => {
      const escaped = Handlebars.escapeExpression(textOf(call, call.args[0]))
      return new Handlebars.SafeString(escaped.replace(/\r\n?|\n/g, '<br>\n'))
    },
  },
  json: {
    signature: 'json value indent=',
    does: 'The value as JSON. {{{json value}}} is safe in a <script>: "<", ">" and "&" are written as \\u escapes.',
    examples: [
      {
        template: '{{{json value}}}',
        data: { value: { a: ['</script>', 1] } },
        gives: '{"a":["\\u003c/script\\u003e",1]}',
      },
    ],
    args: [1, 1],
    hash: ['indent'],
    run: (call) => {
      const indent = isAbsent(call.hash.indent) ? 0 : integerOf(call, call.hash.indent, 'indent', 0, 10)
      const text: string | undefined = stringifyExact(call.args[0] ?? null, indent)
      if (text === undefined) return wrong(call, `${shown(call.args[0])} is not JSON`)
      // U+2028 and U+2029 are line terminators in JavaScript before ES2019.
      return text.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)
    },
  },
}

const pluralRules = cached((locale, options: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options))
const numberFormat = cached((locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))

function plural(call: HelperCall): string | undefined {
  const [count, one, other] = call.args
  if (isAbsent(count)) return undefined
  const number = numberOf(call, count)
  const locale = localeOf(call)
  const forms: Record<string, unknown> = { one, other, ...call.hash }
  // 0 has a word of its own where one is given, also in languages without such a form.
  const form = number === 0 && !isAbsent(forms.zero) ? 'zero' : pluralRules(locale, {}).select(number)
  const word = isAbsent(forms[form]) ? forms.other : forms[form]
  if (isAbsent(word)) return wrong(call, `no form other is given: write {{plural count "item" "items"}}`)
  return textOf(call, word).replaceAll('#', () => numberFormat(locale, {}).format(number))
}

/** No document has room for more. */
const maxChars = 5 * 2 ** 20
const maxParts = 10_000

/** The index after the first `length` graphemes. */
function cutAt(text: string, length: number): number {
  // A grapheme has at least one code unit.
  if (text.length <= length) return text.length
  let count = 0
  for (const { index } of graphemes.segment(text)) if (count++ === length) return index
  return text.length
}
