import type { PageScripts } from '../contract.ts'
import { dom } from '../dom/dom.ts'
import type { AnyRule } from '../dom/style-rules.ts'

export const showEmptyPages: PageScripts['showEmptyPages'] = (pages) => {
  const title = dom.createElement('title')
  title.textContent = dom.title
  const style = dom.createElement('style')
  const sheets = [...dom.styleSheets].filter(({ disabled, media }) => !disabled && isMet(media))
  style.textContent = sheets.flatMap(({ cssRules }) => pageRules(cssRules)).join(' ')
  const head = dom.createElement('head')
  head.append(title, style)
  const body = dom.createElement('body')
  for (let page = 1; page <= pages; page++) {
    const box = dom.createElement('div')
    box.style.cssText = `height: 1px; break-after: ${page < pages ? 'page' : 'auto'}`
    body.append(box)
  }
  dom.documentElement.removeAttribute('style')
  dom.documentElement.removeAttribute('class')
  dom.documentElement.replaceChildren(head, body)
}

const isMet = ({ mediaText }: MediaList) => matchMedia(mediaText).matches

const pageRules = (rules: CSSRuleList): string[] =>
  [...rules].flatMap((rule: AnyRule) => {
    if (rule instanceof CSSPageRule) return [rule.cssText]
    if (rule.media && !isMet(rule.media)) return []
    const nested = rule.styleSheet?.cssRules ?? rule.cssRules
    return nested ? pageRules(nested) : []
  })
