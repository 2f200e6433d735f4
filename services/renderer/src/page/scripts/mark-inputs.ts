import type { FormInput } from '@platen/pdf-tools/task/document-form.ts'
import type { InputExcess, InputLimits, PageScripts } from '../contract.ts'
import { dom, set } from '../dom/dom.ts'
import { groupLabelOf, type Input, labelOf, shortened } from '../dom/input-labels.ts'

const textTypes = new Set([
  ...['text', 'search', 'tel', 'url', 'email', 'password', 'number'],
  ...['date', 'time', 'datetime-local', 'month', 'week'],
])

interface Insets {
  top: number
  right: number
  bottom: number
  left: number
}

interface Described {
  input: Input
  /** Of the link in the input. */
  insets: Insets
  /** The names by which style sheets of the document position elements. */
  anchor: string
  field: FormInput
}

export const markInputs: PageScripts['markInputs'] = (url, limits) => {
  const inputs = [...dom.querySelectorAll<Input>('input,textarea,select')].filter(
    (input) => isField(input) && input.checkVisibility({ visibilityProperty: true }),
  )
  const described = describeAll(inputs, limits)
  if ('exceeded' in described) return described
  const hint = dom.createElement('style')
  hint.textContent = '::-webkit-datetime-edit { visibility: hidden !important }'
  dom.documentElement.append(hint)
  for (const [index, one] of described.entries()) dom.documentElement.append(linkOver(one, index, url))
  return { fields: described.map(({ field }) => field) }
}

const isField = (input: Input) => input.localName !== 'input' || isButton(input) || textTypes.has(input.type)

const isButton = (input: Input): input is HTMLInputElement =>
  input.localName === 'input' && (input.type === 'checkbox' || input.type === 'radio')

const isSelect = (input: Input): input is HTMLSelectElement => input.localName === 'select'

function describeAll(inputs: readonly Input[], limits: InputLimits): Described[] | { exceeded: InputExcess } {
  if (inputs.length > limits.inputs) return { exceeded: { inputs: inputs.length } }
  const groupOf = groupsOf(inputs)
  const described: Described[] = []
  let chars = 0
  for (const input of inputs) {
    const options = isSelect(input) ? input.options.length : 0
    if (options > limits.options) return { exceeded: { name: nameOf(input), options } }
    const one = describe(input, groupOf)
    const { name, label, value, choice, button } = one.field
    const texts = [value, ...(choice?.options ?? []).flatMap((option) => [option.value, option.text])]
    const longest = Math.max(...texts.map(({ length }) => length))
    chars += name.length + label.length + (button?.groupLabel.length ?? 0)
    chars += texts.reduce((sum, { length }) => sum + length, 0)
    if (longest > limits.valueChars) return { exceeded: { name, chars: longest } }
    if (chars > limits.chars) return { exceeded: { chars } }
    described.push(one)
  }
  return described
}

const nameOf = (input: Input) => shortened(input.name || input.id)

function describe(input: Input, groupOf: (input: Input) => number): Described {
  const style = getComputedStyle(input)
  const insets = insetsOf(input, style)
  return {
    input,
    insets,
    anchor: style.getPropertyValue('anchor-name'),
    field: {
      type: typeOf(input),
      name: nameOf(input),
      label: labelOf(input),
      isReadOnly: ('readOnly' in input && input.readOnly) || input.matches(':disabled'),
      isRequired: input.required,
      width: input.offsetWidth - insets.left - insets.right,
      fontSize: px(style.fontSize),
      color: colorOf(style.webkitTextFillColor || style.color),
      ...partsOf(input, style, groupOf),
    },
  }
}

function typeOf(input: Input): FormInput['type'] {
  if (isSelect(input)) return 'choice'
  return isButton(input) ? (input.type as 'checkbox' | 'radio') : 'text'
}

function partsOf(
  input: Input,
  style: CSSStyleDeclaration,
  groupOf: (input: Input) => number,
): Pick<FormInput, 'value' | 'text' | 'button' | 'choice'> {
  if (isSelect(input)) {
    const { multiple: isMultiple, size } = input
    const options = [...input.options].map(({ value, label, selected }) => ({
      value,
      text: label,
      isSelected: selected,
    }))
    return { value: '', choice: { isMultiple, isList: isMultiple || size > 1, options } }
  }
  if (isButton(input)) {
    const { value, checked: isOn, type } = input
    if (type === 'checkbox') return { value, button: { isOn, group: 0, groupLabel: '' } }
    return { value, button: { isOn, group: groupOf(input), groupLabel: groupLabelOf(input) } }
  }
  const isPassword = input.type === 'password'
  const text = { isMultiline: input.localName === 'textarea', isPassword, align: alignOf(style) }
  const value = isPassword ? '' : input.value
  return { value, text: input.maxLength >= 0 ? { ...text, maxLength: input.maxLength } : text }
}

/** Radio buttons of a name and form have the index of the first one. Those without a name have a group each. */
function groupsOf(inputs: readonly Input[]): (input: Input) => number {
  const groups = new Map<HTMLFormElement | null, Map<string, number>>()
  return (input) => {
    const index = inputs.indexOf(input)
    if (input.name === '') return -1 - index
    const names = groups.get(input.form) ?? new Map<string, number>()
    groups.set(input.form, names)
    const first = names.get(input.name) ?? index
    names.set(input.name, first)
    return first
  }
}

function alignOf({ textAlign, direction }: CSSStyleDeclaration): 'left' | 'center' | 'right' {
  if (textAlign === 'center') return 'center'
  const isEnd = textAlign === 'right' || (direction === 'rtl' ? textAlign === 'start' : textAlign === 'end')
  return isEnd ? 'right' : 'left'
}

function colorOf(text: string): [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = (/^rgba?\(/.test(text) ? (text.match(/[\d.]+/g) ?? []) : []).map(Number)
  return [red, green, blue]
}

function insetsOf(input: Input, style: CSSStyleDeclaration): Insets {
  if (isButton(input)) return { top: 0, right: 0, bottom: 0, left: 0 }
  // Viewers leave 2 points beside the text of a field.
  const inner = (padding: string) => Math.max(0, px(padding) - 2)
  const isTall = input.localName === 'textarea'
  const hasArrow = isSelect(input) && input.size < 2 && !input.multiple && style.appearance !== 'none'
  return {
    top: px(style.borderTopWidth) + (isTall ? inner(style.paddingTop) : 0),
    bottom: px(style.borderBottomWidth) + (isTall ? inner(style.paddingBottom) : 0),
    left: px(style.borderLeftWidth) + inner(style.paddingLeft),
    right: px(style.borderRightWidth) + inner(style.paddingRight) + (hasArrow ? 14 : 0),
  }
}

const px = (text: string) => Number.parseFloat(text) || 0

/**
 * The link is positioned by its input (CSS Anchor Positioning 1), is the child of no element that style sheets know, and
 * changes no other box.
 */
function linkOver({ input, insets, anchor }: Described, index: number, url: string): HTMLElement {
  const name = `--platen-input-${index}`
  set(input, { 'anchor-name': anchor && anchor !== 'none' ? `${anchor}, ${name}` : name })
  // Chromium writes it to the element of the input in the structure tree.
  input.lang = `x-input-${index}`
  empty(input)
  const link = dom.createElement('a')
  link.href = url + index
  set(link, {
    all: 'initial',
    display: 'block',
    position: 'absolute',
    'position-anchor': name,
    'position-visibility': 'always',
    top: `calc(anchor(top) + ${insets.top}px)`,
    left: `calc(anchor(left) + ${insets.left}px)`,
    width: `calc(anchor-size(width) - ${insets.left + insets.right}px)`,
    height: `calc(anchor-size(height) - ${insets.top + insets.bottom}px)`,
  })
  return link
}

function empty(input: Input): void {
  if (isButton(input)) {
    input.checked = false
    input.indeterminate = false
  } else if (isSelect(input)) {
    input.selectedIndex = -1
    if (input.multiple || input.size > 1) for (const option of input.options) set(option, { visibility: 'hidden' })
  } else {
    const style = getComputedStyle(input)
    const isSizedByContent = style.getPropertyValue('field-sizing') === 'content'
    set(input, { resize: 'none', ...(isSizedByContent ? { width: style.width, height: style.height } : {}) })
    input.removeAttribute('placeholder')
    input.value = ''
  }
}
