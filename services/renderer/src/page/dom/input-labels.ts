import { call, dom, get } from './dom.ts'

export type Input = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** What an input is called for people. */
export const labelOf = (input: Input) =>
  ariaLabelOf(input) ||
  shortened([...(input.labels ?? [])].map(textOf).join(' ')) ||
  shortened(input.title) ||
  shortened('placeholder' in input ? input.placeholder : '')

/** What the group of a radio button is called. */
export function groupLabelOf(input: Input): string {
  const group = input.closest('fieldset,[role=radiogroup]')
  if (!group) return ''
  const legend = [...get(group, 'children')].find((child) => get(child, 'localName') === 'legend')
  return ariaLabelOf(group) || (legend ? textOf(legend) : '')
}

export const shortened = (text: string | null) => (text ?? '').replace(/\s+/g, ' ').trim().slice(0, 500)

function ariaLabelOf(element: Element): string {
  const ids = (call(element, 'getAttribute', 'aria-labelledby') ?? '').split(/\s+/)
  const labels = ids.map((id) => id && dom.querySelector(`#${CSS.escape(id)}`))
  return (
    shortened(labels.map((label) => (label ? textOf(label) : '')).join(' ')) ||
    shortened(call(element, 'getAttribute', 'aria-label'))
  )
}

function textOf(element: Element): string {
  const texts: string[] = []
  const walker = dom.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node && texts.length < 100; node = walker.nextNode()) {
    const { data, parentElement } = node as Text
    if (parentElement && !call(parentElement, 'closest', 'select,textarea,script,style')) texts.push(data)
  }
  return shortened(texts.join(''))
}
