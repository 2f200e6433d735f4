import { amountPrefix, type PageScripts } from '../contract.ts'
import { call, dom, get, keepAttribute, set } from '../dom/dom.ts'

declare global {
  /** What gives the elements their own ids again, when their amounts are found. */
  var platenAmounts: (() => void)[] | undefined
}

const linksId = `${amountPrefix}links`

export const markAmounts: PageScripts['markAmounts'] = (attribute, most) => {
  const rows = [...dom.querySelectorAll(`[${attribute}]`)].filter((row) => call(row, 'checkVisibility'))
  if (rows.length > most) return rows.length
  const links = dom.createElement('div')
  links.id = linksId
  set(links, { display: 'none' })
  globalThis.platenAmounts = rows.map((row, index) => {
    const target = get(row, 'localName') === 'tr' ? ((row as HTMLTableRowElement).cells[0] ?? row) : row
    const link = dom.createElement('a')
    link.href = `#${amountPrefix}${index}`
    links.append(link)
    const restore = keepAttribute(target, 'id')
    call(target, 'setAttribute', 'id', `${amountPrefix}${index}`)
    return restore
  })
  dom.documentElement.append(links)
  return rows.map((row) => (call(row, 'getAttribute', attribute) ?? '').trim())
}

export const unmarkAmounts: PageScripts['unmarkAmounts'] = () => {
  for (const restore of globalThis.platenAmounts ?? []) restore()
  globalThis.platenAmounts = undefined
  dom.getElementById(linksId)?.remove()
}
