import type { PageScripts } from '../contract.ts'
import { call, dom } from '../dom/dom.ts'

export { layOut } from '../dom/loaded.ts'

export const measureHeight: PageScripts['measureHeight'] = () => {
  const style = dom.createElement('style')
  style.textContent = '* { break-before: auto !important; break-after: auto !important; page: auto !important }'
  const root = dom.documentElement
  ;(dom.head ?? root).append(style)
  const range = dom.createRange()
  range.selectNodeContents(dom.body ?? root)
  return Math.max(root.getBoundingClientRect().bottom, range.getBoundingClientRect().bottom) + scrollY
}

export const boxOf: PageScripts['boxOf'] = (selector) => {
  try {
    const element = dom.querySelector(selector)
    if (element === null) return undefined
    const { left, top, width, height } = call(element, 'getBoundingClientRect')
    return { x: left + scrollX, y: top + scrollY, width, height }
  } catch {
    return undefined
  }
}

export const matchesSelector: PageScripts['matchesSelector'] = (selector) => {
  try {
    return dom.querySelector(selector) !== null
  } catch {
    return 'invalid'
  }
}
