import { type PDFContext, type PDFDict, PDFNumber, type PDFObject, PDFString } from '@cantoo/pdf-lib'
import { name, textString } from '../pdf/entries.ts'
import { arrayOf } from '../pdf/trees.ts'
import type { FormInput } from '../task/document-form.ts'
import { short } from './button-states.ts'
import type { InputLink } from './input-links.ts'

/** Field flags (ISO 32000-2, tables 227, 229, 231 and 233). */
const flags = {
  readOnly: 1 << 0,
  required: 1 << 1,
  multiline: 1 << 12,
  password: 1 << 13,
  noToggleToOff: 1 << 14,
  radio: 1 << 15,
  combo: 1 << 17,
  multiSelect: 1 << 21,
}
const alignments = { left: 0, center: 1, right: 2 }

/** An annotation that was a link becomes the widget of a field (ISO 32000-2, 12.5.6.19). */
export function makeWidget({ dict, page }: InputLink): PDFDict {
  for (const key of ['A', 'Border', 'C', 'Contents', 'Dest', 'H', 'PA']) dict.delete(name(key))
  const printed = 4
  for (const [key, value] of Object.entries({ Subtype: name('Widget'), F: PDFNumber.of(printed), P: page.ref })) {
    dict.set(name(key), value)
  }
  return dict
}

/** The entries of a field that do not depend on its type. */
export function describeField(field: PDFDict, { isReadOnly, isRequired, label }: FormInput, more = 0): void {
  const bits = (isReadOnly ? flags.readOnly : 0) | (isRequired ? flags.required : 0) | more
  if (bits !== 0) field.set(name('Ff'), PDFNumber.of(bits))
  if (label !== '') field.set(name('TU'), textString(label))
}

/** Helvetica in the size and colour of the document (ISO 32000-2, 12.7.4.3). */
export function appearanceString(
  { fontSize, width, color }: FormInput,
  { rect: [left, , right] }: InputLink,
): PDFString {
  // Options and page rules scale the document.
  const scale = width > 0 ? (right - left) / width : 0.75
  return PDFString.of(`/Helv ${short(fontSize * scale)} Tf ${color.map((part) => short(part / 255)).join(' ')} rg`)
}

export function describeText(field: PDFDict, input: FormInput): void {
  const { isMultiline = false, isPassword = false, align = 'left', maxLength } = input.text ?? {}
  field.set(name('FT'), name('Tx'))
  describeField(field, input, (isMultiline ? flags.multiline : 0) | (isPassword ? flags.password : 0))
  if (maxLength !== undefined) field.set(name('MaxLen'), PDFNumber.of(Math.max(maxLength, input.value.length)))
  if (align !== 'left') field.set(name('Q'), PDFNumber.of(alignments[align]))
  if (input.value !== '') setValue(field, textString(input.value))
}

export function describeChoice(field: PDFDict, input: FormInput): void {
  const { context } = field
  const { isMultiple = false, isList = false, options = [] } = input.choice ?? {}
  field.set(name('FT'), name('Ch'))
  describeField(field, input, (isList ? 0 : flags.combo) | (isMultiple ? flags.multiSelect : 0))
  const texts = options.map(({ value, text }) =>
    value === text ? textString(text) : arrayOf(context, [textString(value), textString(text)]),
  )
  field.set(name('Opt'), arrayOf(context, texts))
  const chosen = options.flatMap(({ isSelected }, index) => (isSelected ? index : []))
  const values = chosen.map((index) => textString(options[index]?.value ?? ''))
  const [only] = values
  if (only && values.length === 1) setValue(field, only)
  else if (values.length > 1) {
    setValue(field, arrayOf(context, values))
    field.set(name('I'), context.obj(chosen))
  }
}

export function describeCheckbox(field: PDFDict, input: FormInput, state: string, options?: readonly string[]): void {
  describeButton(field, options)
  describeField(field, input)
  setValue(field, name(input.button?.isOn ? state : 'Off'))
}

/** The field of a group of radio buttons. `state`: of the one that is on. */
export function radioField(
  context: PDFContext,
  group: readonly [FormInput, ...FormInput[]],
  state: string,
  options?: readonly string[],
): PDFDict {
  const field = context.obj({})
  const [first] = group
  const isReadOnly = group.every((input) => input.isReadOnly)
  const isRequired = group.some((input) => input.isRequired)
  describeButton(field, options)
  const label = first.button?.groupLabel ?? ''
  describeField(field, { ...first, label, isReadOnly, isRequired }, flags.radio | flags.noToggleToOff)
  setValue(field, name(state))
  return field
}

/** `state`: what the widget shows. `caption`: the mark in ZapfDingbats, for viewers that draw it anew. */
export function describeMark(widget: PDFDict, { state, caption }: { state: string; caption: string }): void {
  widget.set(name('AS'), name(state))
  widget.set(name('MK'), widget.context.obj({ CA: PDFString.of(caption) }))
}

function describeButton(field: PDFDict, options: readonly string[] | undefined): void {
  field.set(name('FT'), name('Btn'))
  if (options) field.set(name('Opt'), arrayOf(field.context, options.map(textString)))
}

/** The value, which is also what a viewer resets the field to. */
function setValue(field: PDFDict, value: PDFObject): void {
  field.set(name('V'), value)
  field.set(name('DV'), value)
}
