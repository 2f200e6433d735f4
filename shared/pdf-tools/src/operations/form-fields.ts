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
import { fieldFont } from '../fonts/field-font.ts'
import { openFonts } from '../fonts/text-fonts.ts'
import { dictIn, isTrue, name } from '../pdf/entries.ts'
import { canEncode } from '../pdf/fonts.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { refuse } from '../task/pdf-tool-failed.ts'
import type { FontFile } from '../task/task.ts'
import { choicesOf, choose, drawnTexts, isChoice, showingTexts } from './choices.ts'

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

export interface DrawnFields {
  /** Besides those that have no appearance. */
  changed?: readonly PDFField[]
  /** For values that Helvetica cannot show. */
  fonts?: readonly FontFile[] | undefined
}

/**
 * Draws fields that have changed, or have no appearance: in Helvetica, or in a font that gets into the PDF. A value that no font
 * has is left to viewers, with a warning.
 */
export async function updateAppearances(
  { document, catalog }: OpenPdf,
  { changed = [], fonts: files }: DrawnFields = {},
): Promise<string[]> {
  const form = document.getForm()
  const isNeeded = isTrue(form.acroForm.dict, 'NeedAppearances')
  const refs = new Set(changed.map(({ ref }) => ref))
  const missing = form.getFields().filter((field) => refs.has(field.ref) || isNeeded || hasNoAppearance(field))
  if (missing.length === 0) return []
  const helvetica = document.embedStandardFont(StandardFonts.Helvetica)
  const fonts = await openFonts(document, files)
  const fontOf = (texts: readonly string[]) => {
    if (texts.every((text) => canEncode(helvetica, text))) return helvetica
    const embedded = fonts.embeddedFor(texts)
    return embedded && fieldFont(document, embedded)
  }
  const failed = missing.filter((field) => !draws(field, fontOf))
  await fonts.write()
  await document.flush()
  if (failed.length === 0) form.acroForm.dict.delete(name('NeedAppearances'))
  else dictIn(catalog, 'AcroForm')?.set(name('NeedAppearances'), PDFBool.True)
  const who = files?.length ? 'no font of this deployment has together' : 'Helvetica does not have'
  return failed.map(
    (field) => `The value of ${JSON.stringify(field.getName())} has characters that ${who}: the viewer must draw it`,
  )
}

const hasNoAppearance = (field: PDFField) => field.acroField.getWidgets().some((widget) => !widget.dict.has(name('AP')))

/** False for a value with characters that no font has; the library would draw question marks. */
function draws(field: PDFField, fontOf: (texts: readonly string[]) => PDFFont | undefined): boolean {
  if (field instanceof PDFCheckBox || field instanceof PDFRadioGroup) {
    // A state that is drawn is chosen by its name.
    if (field.needsAppearancesUpdate()) field.defaultUpdateAppearances()
  } else if (field instanceof PDFTextField) {
    const font = fontOf([field.getText() ?? ''])
    if (!font) return false
    keepingFonts(field, () => field.defaultUpdateAppearances(font))
  } else if (isChoice(field)) {
    const font = fontOf(drawnTexts(field))
    if (!font) return false
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
