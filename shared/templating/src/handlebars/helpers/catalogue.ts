import { codeHelpers } from './codes.ts'
import { comparisonHelpers } from './comparison.ts'
import { dateHelpers } from './dates.ts'
import { type HelperFamily, textOf } from './helper.ts'
import { listHelpers } from './lists.ts'
import { mathsHelpers } from './maths.ts'
import { numberHelpers } from './numbers.ts'
import { pageNumberHelpers } from './page-numbers.ts'
import { structureHelpers } from './structure.ts'
import { textHelpers } from './text.ts'

const translationHelpers: HelperFamily = {
  t: {
    signature: 't "key" name=value …',
    does:
      'The text of the key in the language of the document, from the translations of the template. {name} in it is replaced with the ' +
      'named argument. A key that is not translated is a MISSING_TRANSLATION warning, and prints the text of another language, or itself.',
    examples: [
      { template: '{{t "total"}}', gives: 'Total' },
      { template: '{{t "greeting" name=customer.name}}', data: { customer: { name: 'Ada' } }, gives: 'Dear Ada,' },
    ],
    args: [1, 1],
    hash: 'any',
    run: (call) => {
      const key = textOf(call, call.args[0])
      return call.translate(key).replace(/\{([\w-]{1,60})\}/g, (whole, name: string) => {
        return Object.hasOwn(call.hash, name) ? textOf(call, call.hash[name]) : whole
      })
    },
  },
}

/** Every helper by family, in the order of the documentation. */
export const catalogue = {
  Dates: dateHelpers,
  Numbers: numberHelpers,
  Comparison: comparisonHelpers,
  Maths: mathsHelpers,
  Text: textHelpers,
  Lists: listHelpers,
  Translations: translationHelpers,
  Structure: structureHelpers,
  'Page numbers': pageNumberHelpers,
  Codes: codeHelpers,
} as const satisfies Record<string, HelperFamily>

export const helpers: HelperFamily = Object.assign({}, ...Object.values(catalogue))
