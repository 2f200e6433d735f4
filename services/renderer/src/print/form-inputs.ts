import { randomUUID } from 'node:crypto'
import { fail } from '@platen/domain/http/errors.ts'
import { untilAborted } from '@platen/foundation/runtime/until-aborted.ts'
import type { DocumentForm, FormInput } from '@platen/pdf-tools/task/document-form.ts'
import { AnswerTooLong } from '../chromium/browser/cdp/session.ts'
import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { domFunctions } from './dom-functions.ts'

/** As many fields as one request can fill. */
const maxInputs = 2_000
/** Of the value of an input, and of all options of a select. */
const maxValueChars = 10_000
const maxOptions = 1_000
/** Of the names, labels and values of all inputs: they go from the browser to this process, and on to the PDF tools, as a whole. */
const maxChars = 5_000_000

const textTypes = [
  ...['text', 'search', 'tel', 'url', 'email', 'password', 'number'],
  ...['date', 'time', 'datetime-local', 'month', 'week'],
]

/**
 * Source of a function for the isolated world. It describes the inputs that are shown, and puts a link over each: Chromium
 * writes its box on the page into the PDF. A link is positioned by its input (CSS Anchor Positioning 1), is the child of
 * no element that style sheets know, and changes no other box. What the field will show is no longer drawn. What exceeds a limit
 * does not leave the browser.
 */
const marking = `(url) => {
  ${domFunctions}
  const textTypes = new Set(${JSON.stringify(textTypes)})
  const all = (selector) => [...dom.querySelectorAll(selector)]
  const isField = (input) =>
    input.localName !== 'input' || textTypes.has(input.type) || input.type === 'checkbox' || input.type === 'radio'
  const inputs = all('input,textarea,select').filter(
    (input) => isField(input) && input.checkVisibility({ visibilityProperty: true }),
  )
  if (inputs.length > ${maxInputs}) return { exceeded: { inputs: inputs.length } }
  const short = (text) => (text ?? '').replace(/\\s+/g, ' ').trim().slice(0, 500)
  const px = (text) => Number.parseFloat(text) || 0

  const textOf = (element) => {
    const texts = []
    const walker = dom.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node && texts.length < 100; node = walker.nextNode()) {
      if (!call(node.parentElement, 'closest', 'select,textarea,script,style')) texts.push(node.data)
    }
    return short(texts.join(''))
  }
  const labelledBy = (element) =>
    short((call(element, 'getAttribute', 'aria-labelledby') ?? '').split(/\\s+/).map((id) => {
      const found = id && all('#' + CSS.escape(id))[0]
      return found ? textOf(found) : ''
    }).join(' '))
  const ariaLabel = (element) => labelledBy(element) || short(call(element, 'getAttribute', 'aria-label'))
  const labelOf = (input) =>
    ariaLabel(input) || short([...input.labels ?? []].map(textOf).join(' ')) || short(input.title) || short(input.placeholder)
  const groupLabelOf = (input) => {
    const group = input.closest('fieldset,[role=radiogroup]')
    if (!group) return ''
    const legend = [...get(group, 'children')].find((child) => get(child, 'localName') === 'legend')
    return ariaLabel(group) || (legend ? textOf(legend) : '')
  }

  const groups = new Map()
  const groupOf = (input) => {
    if (input.name === '') return -1 - inputs.indexOf(input)
    if (!groups.has(input.form)) groups.set(input.form, new Map())
    const names = groups.get(input.form)
    if (!names.has(input.name)) names.set(input.name, inputs.indexOf(input))
    return names.get(input.name)
  }

  const alignOf = ({ textAlign, direction }) => {
    if (textAlign === 'center') return 'center'
    const isEnd = textAlign === 'right' || (direction === 'rtl' ? textAlign === 'start' : textAlign === 'end')
    return isEnd ? 'right' : 'left'
  }
  const colorOf = (text) => {
    const [red = 0, green = 0, blue = 0] = (/^rgba?\\(/.test(text) ? text.match(/[\\d.]+/g) : []).map(Number)
    return [red, green, blue]
  }
  // Viewers leave 2 points beside the text of a field.
  const inner = (padding) => Math.max(0, padding - 2)
  const insetsOf = (input, style, type) => {
    if (type === 'checkbox' || type === 'radio') return { top: 0, right: 0, bottom: 0, left: 0 }
    const border = (side) => px(style['border' + side + 'Width'])
    const padding = (side) => inner(px(style['padding' + side]))
    const isTall = input.localName === 'textarea'
    const arrow = type === 'choice' && input.size < 2 && !input.multiple && style.appearance !== 'none' ? 14 : 0
    return {
      top: border('Top') + (isTall ? padding('Top') : 0),
      bottom: border('Bottom') + (isTall ? padding('Bottom') : 0),
      left: border('Left') + padding('Left'),
      right: border('Right') + padding('Right') + arrow,
    }
  }

  const partsOf = (input, type, style) => {
    if (type === 'checkbox' || type === 'radio') {
      const isOn = input.checked
      const group = type === 'radio' ? groupOf(input) : 0
      return { value: input.value, button: { isOn, group, groupLabel: type === 'radio' ? groupLabelOf(input) : '' } }
    }
    if (type === 'choice') {
      const options = [...input.options].map((option) => ({
        value: option.value, text: option.label, isSelected: option.selected,
      }))
      return { value: '', choice: { isMultiple: input.multiple, isList: input.multiple || input.size > 1, options } }
    }
    const isPassword = input.type === 'password'
    const text = { isMultiline: input.localName === 'textarea', isPassword, align: alignOf(style) }
    if (input.maxLength >= 0) text.maxLength = input.maxLength
    return { value: isPassword ? '' : input.value, text }
  }
  const typeOf = (input) => {
    if (input.localName === 'select') return 'choice'
    return input.localName === 'input' && (input.type === 'checkbox' || input.type === 'radio') ? input.type : 'text'
  }
  const describe = (input) => {
    const style = getComputedStyle(input)
    const type = typeOf(input)
    const insets = insetsOf(input, style, type)
    return {
      insets,
      anchor: style.anchorName,
      field: {
        type,
        name: short(input.name || input.id),
        label: labelOf(input),
        isReadOnly: input.readOnly === true || input.matches(':disabled'),
        isRequired: input.required,
        width: input.offsetWidth - insets.left - insets.right,
        fontSize: px(style.fontSize),
        color: colorOf(style.webkitTextFillColor || style.color),
        ...partsOf(input, type, style),
      },
    }
  }
  let chars = 0
  const excessOf = ({ name, label, value, choice, button }) => {
    const texts = [value, ...(choice ? choice.options.flatMap((option) => [option.value, option.text]) : [])]
    const longest = texts.reduce((most, text) => Math.max(most, text.length), 0)
    const described = name.length + label.length + (button ? button.groupLabel.length : 0)
    chars = texts.reduce((sum, text) => sum + text.length, chars + described)
    if (longest > ${maxValueChars}) return { name, chars: longest }
    return chars > ${maxChars} ? { chars } : undefined
  }
  const described = []
  for (const input of inputs) {
    const options = input.localName === 'select' ? input.options.length : 0
    if (options > ${maxOptions}) return { exceeded: { name: short(input.name || input.id), options } }
    const one = describe(input)
    const exceeded = excessOf(one.field)
    if (exceeded) return { exceeded }
    described.push(one)
  }

  const root = dom.documentElement
  const set = (element, properties) => {
    for (const [name, value] of Object.entries(properties)) element.style.setProperty(name, value, 'important')
  }
  const empty = (input, field) => {
    if (field.button) input.checked = input.indeterminate = false
    else if (field.choice) {
      input.selectedIndex = -1
      if (field.choice.isList) for (const option of input.options) set(option, { visibility: 'hidden' })
    } else {
      const { fieldSizing, width, height } = getComputedStyle(input)
      set(input, { resize: 'none', ...(fieldSizing === 'content' && { width, height }) })
      input.removeAttribute('placeholder')
      input.value = ''
    }
  }
  const hint = dom.createElement('style')
  hint.textContent = '::-webkit-datetime-edit { visibility: hidden !important }'
  root.append(hint)
  for (const [index, input] of inputs.entries()) {
    const { insets, anchor, field } = described[index]
    const name = '--platen-input-' + index
    set(input, { 'anchor-name': anchor && anchor !== 'none' ? anchor + ', ' + name : name })
    // Chromium writes it to the element of the input in the structure tree.
    input.lang = 'x-input-' + index
    empty(input, field)
    const link = dom.createElement('a')
    link.href = url + index
    set(link, {
      all: 'initial',
      display: 'block',
      position: 'absolute',
      'position-anchor': name,
      'position-visibility': 'always',
      top: 'calc(anchor(top) + ' + insets.top + 'px)',
      left: 'calc(anchor(left) + ' + insets.left + 'px)',
      width: 'calc(anchor-size(width) - ' + (insets.left + insets.right) + 'px)',
      height: 'calc(anchor-size(height) - ' + (insets.top + insets.bottom) + 'px)',
    })
    root.append(link)
  }
  return { fields: described.map(({ field }) => field) }
}`

/** What of the document exceeds a limit: an input, or all together. */
interface Excess {
  inputs?: number
  /** Of the input. */
  name?: string
  options?: number
  chars?: number
}

/**
 * Call it before the print. The PDF then has a link in the place of each input, which `addForm` of the PDF tools makes a field.
 * Throws DomainError RENDER_LIMIT_EXCEEDED and RENDER_FAILED.
 */
export async function markInputs(page: BrowserPage, signal: AbortSignal): Promise<DocumentForm> {
  const { session, isolatedWorldId: contextId } = page
  // The document does not know the URL, so that its own links stay links. Names below .invalid do not exist (RFC 6761).
  const url = `https://${randomUUID()}.invalid/`
  const expression = `(${marking})(${JSON.stringify(url)})`
  const marked = session.send('Runtime.evaluate', { expression, contextId, returnByValue: true }).catch(refuseLong)
  const { result } = await untilAborted(marked, signal)
  const { exceeded, fields } = (result.value ?? {}) as { exceeded?: Excess; fields?: FormInput[] }
  if (exceeded) refuse(exceeded)
  if (!fields) return fail('RENDER_FAILED', 'options.form_fields: the inputs of the document cannot be read')
  return { url, fields }
}

/** Of a deployment whose PDFs may have few bytes. */
function refuseLong(err: unknown): never {
  if (!(err instanceof AnswerTooLong)) throw err
  return fail(
    'RENDER_LIMIT_EXCEEDED',
    'options.form_fields: the inputs of the document have more text than a PDF may have',
  )
}

function refuse({ inputs, name, options, chars }: Excess): never {
  const most = (found: string, limit: number, what: string) =>
    fail('RENDER_LIMIT_EXCEEDED', `options.form_fields: ${found}, at most ${limit} ${what}`)
  if (inputs !== undefined) return most(`the document has ${inputs} inputs`, maxInputs, 'become form fields')
  if (name === undefined)
    return most('names, labels and values are too long together', maxChars, 'characters are possible')
  const what = `the input ${JSON.stringify(name)}`
  if (options !== undefined) return most(`${what} has ${options} options`, maxOptions, 'are possible')
  return most(`${what} has a value of ${chars} characters`, maxValueChars, 'are possible')
}
