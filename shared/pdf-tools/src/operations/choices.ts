import { PDFDropdown, type PDFField, PDFOptionList } from '@cantoo/pdf-lib'
import { name, textString } from '../pdf/entries.ts'
import { arrayOf } from '../pdf/trees.ts'

// A choice has the values of its options, which may be shown as other texts (ISO 32000-2, table 234). The library takes
// one for the other.

export type Choice = PDFDropdown | PDFOptionList

export const isChoice = (field: PDFField): field is Choice =>
  field instanceof PDFDropdown || field instanceof PDFOptionList

const optionsOf = ({ acroField }: Choice) =>
  acroField.getOptions().map(({ value, display }) => ({ value: value.decodeText(), text: display.decodeText() }))

/** What may be chosen: values, and the texts that are shown for them. */
export function choicesOf(field: Choice): string[] {
  const options = optionsOf(field)
  return [...new Set([...options.map(({ value }) => value), ...options.map(({ text }) => text)])]
}

/** Values, or texts that are shown for them. Another text is a value of its own. */
export function choose(field: Choice, chosen: readonly string[]): void {
  const options = optionsOf(field)
  const { dict } = field.acroField
  const indices = chosen.map((one) => {
    const index = options.findIndex(({ value }) => value === one)
    return index < 0 ? options.findIndex(({ text }) => text === one) : index
  })
  const values = chosen.map((one, at) => textString(options[indices[at] ?? -1]?.value ?? one))
  const [only] = values
  if (!only) dict.delete(name('V'))
  else dict.set(name('V'), values.length === 1 ? only : arrayOf(dict.context, values))
  const known = indices.filter((index) => index >= 0).sort((a, b) => a - b)
  if (values.length > 1) dict.set(name('I'), dict.context.obj(known))
  else dict.delete(name('I'))
}

/** The texts that its appearance has: what is chosen, and in a list all options. */
export const drawnTexts = (field: Choice) =>
  field instanceof PDFOptionList ? [...shownTexts(field), ...field.getOptions()] : shownTexts(field)

/** The texts of what is chosen. */
export function shownTexts(field: Choice): string[] {
  const options = optionsOf(field)
  return field.getSelected().map((one) => options.find(({ value }) => value === one)?.text ?? one)
}

/** Draws with the shown texts in the place of the values. */
export function showingTexts(field: Choice, draw: () => void): void {
  const { dict } = field.acroField
  const value = dict.get(name('V'))
  const texts = shownTexts(field).map(textString)
  if (value) dict.set(name('V'), arrayOf(dict.context, texts))
  draw()
  if (value) dict.set(name('V'), value)
}
