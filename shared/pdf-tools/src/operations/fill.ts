import type { FillOperation } from '@platen/domain/document/pdf-operation.ts'
import { dictIn, name } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import type { PdfTask } from '../task/task.ts'
import { flatten } from './flatten.ts'
import { setFields, updateAppearances } from './form-fields.ts'

/** Fills form fields; an XFA form of the same fields is left out, as it would hide the values. Returns warnings. */
export async function fill(
  pdf: OpenPdf,
  { fields, flatten: isFlat }: Omit<FillOperation, 'operation'>,
  { fonts }: Pick<PdfTask, 'fonts'> = {},
): Promise<string[]> {
  const form = dictIn(pdf.catalog, 'AcroForm')
  const hasXfa = form?.delete(name('XFA')) ?? false
  const changed = setFields(pdf, fields)
  const warnings = await updateAppearances(pdf, { changed, fonts })
  if (isFlat) warnings.push(...(await flatten(pdf, { fonts })))
  return hasXfa ? ['The XFA form is left out; its fields are filled', ...warnings] : warnings
}
