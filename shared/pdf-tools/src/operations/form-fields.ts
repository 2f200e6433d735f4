import {
  PDFBool,
  PDFCheckBox,
  PDFDropdown,
  type PDFField,
  type PDFFont,
  PDFRadioGroup,
  PDFTextField,
  StandardFonts,
} from '@cantoo/pdf-lib'
import { closestName } from '@platen/foundation/runtime/closest-name.ts'
import { dictIn, isTrue, name } from '../pdf/entries.ts'
import { canEncode } from '../pdf/fonts.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import { choicesOf, choose, isChoice, showingTexts, shownTexts } from './choices.ts'

export type FieldValue = string | number | boolean | readonly string[]

/** Sets the values of fields by their full names. Throws PdfToolFailed for a field or a value that the form does not have. */
export function setFields({ document, catalog }: OpenPdf, values: Readonly<Record<string, FieldValue>>): PDFField[] {
  if (!dictIn(catalog, 'AcroForm')) return refuse('invalid', 'The PDF has no form fields')
  const fields = new Map(
    document
      .getForm()
      .getFields()
      .map((field) => [field.getName(), field]),
  )
  return Object.entries(values).map(([key, value]) => {
    const field = fields.get(key) ?? refuse('invalid', noField(key, [...fields.keys()]))
    setField(field, value, JSON.stringify(key))
    return field
  })
}

function noField(key: string, names: string[]): string {
  const closest = closestName(key, names)
  const hint = closest === undefined ? `It has ${list(names)}` : `Did you mean ${JSON.stringify(closest)}?`
  return `The PDF has no form field ${JSON.stringify(key)}. ${hint}`
}

const list = (names: readonly string[]) =>
  names
    .slice(0, 20)
    .map((text) => JSON.stringify(text))
    .join(', ') + (names.length > 20 ? ` and ${names.length - 20} more` : '')

function setField(field: PDFField, value: FieldValue, key: string): void {
  const wrong = (wanted: string) => refuse('invalid', `The form field ${key} takes ${wanted}`)
  const chosen = (options: string[], isFree = false) => {
    const values = Array.isArray(value) ? value : [String(value)]
    return isFree || values.every((one) => options.includes(one))
      ? values
      : wrong(`one of its ${options.length} options`)
  }
  if (field instanceof PDFCheckBox) {
    if (typeof value !== 'boolean') wrong('true or false')
    else if (value) field.check()
    else field.uncheck()
  } else if (field instanceof PDFRadioGroup) {
    const [option = ''] = chosen(field.getOptions())
    field.select(option)
  } else if (isChoice(field)) {
    const isFree = field instanceof PDFDropdown && field.isEditable()
    const values = chosen(choicesOf(field), isFree)
    if (values.length > 1 && !field.isMultiselect())
      wrong(`one of its ${field.getOptions().length} options, and no more`)
    choose(field, values)
  } else if (field instanceof PDFTextField) {
    if (typeof value === 'object') wrong('a text')
    const text = String(value)
    const most = field.getMaxLength()
    if (most !== undefined && text.length > most) wrong(`at most ${most} characters, and the value has ${text.length}`)
    if (field.isRichFormatted()) field.disableRichFormatting()
    field.setText(text)
  } else refuse('unsupported', `The form field ${key} is a button or a signature, which takes no value`)
}

/**
 * Draws fields that have changed, or have no appearance. A value that Helvetica cannot show is left to viewers, with a
 * warning.
 */
export async function updateAppearances(
  { document, catalog }: OpenPdf,
  changed: readonly PDFField[] = [],
): Promise<string[]> {
  const form = document.getForm()
  const isNeeded = isTrue(form.acroForm.dict, 'NeedAppearances')
  const refs = new Set(changed.map(({ ref }) => ref))
  const missing = form.getFields().filter((field) => refs.has(field.ref) || isNeeded || hasNoAppearance(field))
  if (missing.length === 0) return []
  const font = document.embedStandardFont(StandardFonts.Helvetica)
  const failed = missing.filter((field) => !draws(field, font))
  await document.flush()
  if (failed.length === 0) form.acroForm.dict.delete(name('NeedAppearances'))
  else dictIn(catalog, 'AcroForm')?.set(name('NeedAppearances'), PDFBool.True)
  return failed.map(
    (field) =>
      `The value of ${JSON.stringify(field.getName())} has characters that Helvetica does not have: the viewer must draw it`,
  )
}

const hasNoAppearance = (field: PDFField) => field.acroField.getWidgets().some((widget) => !widget.dict.has(name('AP')))

/** False for a value with characters that the font does not have; the library would draw question marks. */
function draws(field: PDFField, font: PDFFont): boolean {
  if (field instanceof PDFCheckBox || field instanceof PDFRadioGroup) {
    // A state that is drawn is chosen by its name.
    if (field.needsAppearancesUpdate()) field.defaultUpdateAppearances()
  } else if (field instanceof PDFTextField) {
    if (!canEncode(font, field.getText() ?? '')) return false
    keepingFonts(field, () => field.defaultUpdateAppearances(font))
  } else if (isChoice(field)) {
    if (!shownTexts(field).every((text) => canEncode(font, text))) return false
    keepingFonts(field, () => showingTexts(field, () => field.defaultUpdateAppearances(font)))
  }
  return true
}

/** The library writes the name of its font where viewers look for that of the form (`DA`, ISO 32000-2, 12.7.4.3). */
function keepingFonts({ acroField }: PDFField, draw: () => void): void {
  const dicts = [acroField.dict, ...acroField.getWidgets().map(({ dict }) => dict)]
  const before = dicts.map((dict) => dict.get(name('DA')))
  draw()
  for (const [index, dict] of dicts.entries()) {
    const appearance = before[index]
    if (appearance) dict.set(name('DA'), appearance)
  }
}
