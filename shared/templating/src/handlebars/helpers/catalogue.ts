import { codeHelpers } from './codes.ts'
import { comparisonHelpers } from './comparison.ts'
import { dateHelpers } from './dates.ts'
import type { HelperFamily } from './helper.ts'
import { listHelpers } from './lists.ts'
import { mathsHelpers } from './maths.ts'
import { numberHelpers } from './numbers.ts'
import { pageNumberHelpers } from './page-numbers.ts'
import { structureHelpers } from './structure.ts'
import { textHelpers } from './text.ts'
import { translationHelpers } from './translation.ts'

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
