import type { PageScripts } from '../contract.ts'
import { call } from '../dom/dom.ts'
import { showsOn } from '../dom/shows-on.ts'

export const choosePages: PageScripts['choosePages'] = (
  control: HTMLElement,
  { pages: mark, choice: pattern, carry, format },
  { first, texts },
) => {
  const numberIn = (name: string) => Number(control.querySelector(`.${name}`)?.textContent)
  const [page, pages] = [numberIn('pageNumber'), numberIn('totalPages')]
  const all = (name: string) => control.parentNode?.querySelectorAll(`[${name}]`) ?? []
  for (const element of all(mark)) {
    const value = call(element, 'getAttribute', mark) ?? ''
    if (!showsOn(value, { page, pages, pattern })) call(element, 'remove')
  }
  for (const element of all(carry)) {
    const index = page - first - (call(element, 'getAttribute', carry) === 'brought' ? 1 : 0)
    const text = texts[call(element, 'getAttribute', format) ?? '']?.[index]
    if (text === undefined) call(element, 'remove')
    else for (const sum of call(element, 'querySelectorAll', '.subtotal')) sum.textContent = text
  }
  control.remove()
}
