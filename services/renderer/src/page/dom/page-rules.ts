import type { PageRules } from '../../inspect/page-rules.ts'
import { dom } from './dom.ts'

const names = ['size', 'margin-top', 'margin-right', 'margin-bottom', 'margin-left'] as const

/** What the `@page` rules without a name set. Style sheets of other origins cannot be read. */
export function pageRules(): PageRules {
  const found: PageRules = {}
  const visit = (rules: CSSRuleList, depth: number) => {
    for (const rule of rules) {
      if (rule instanceof CSSPageRule && rule.selectorText === '') {
        for (const name of names) {
          const value = rule.style.getPropertyValue(name).slice(0, 200)
          if (value !== '') found[name] = value
        }
      } else if (depth >= 5) continue
      else if (rule instanceof CSSImportRule && rule.styleSheet) visitSheet(rule.styleSheet, depth + 1)
      else if (rule instanceof CSSMediaRule && !matchMedia(rule.media.mediaText).matches) continue
      else if (rule instanceof CSSMediaRule || rule instanceof CSSSupportsRule || rule instanceof CSSLayerBlockRule) {
        visit(rule.cssRules, depth + 1)
      }
    }
  }
  const visitSheet = (sheet: CSSStyleSheet, depth: number) => {
    try {
      if (sheet.disabled || !matchMedia(sheet.media.mediaText).matches) return
      visit(sheet.cssRules, depth)
    } catch {}
  }
  for (const sheet of dom.styleSheets) visitSheet(sheet, 0)
  return found
}
