import { amountPrefix, type PageScripts } from '../contract.ts'
import { call, dom, get, set } from '../dom/dom.ts'

declare global {
  /** The elements that have another id until their amounts are found. */
  var platenAmounts: { target: Element; id: string | null }[] | undefined
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
    const id = call(target, 'getAttribute', 'id')
    call(target, 'setAttribute', 'id', `${amountPrefix}${index}`)
    return { target, id }
  })
  dom.documentElement.append(links)
  return rows.map((row) => (call(row, 'getAttribute', attribute) ?? '').trim())
}

export const unmarkAmounts: PageScripts['unmarkAmounts'] = () => {
  for (const { target, id } of globalThis.platenAmounts ?? []) {
    if (id === null) call(target, 'removeAttribute', 'id')
    else call(target, 'setAttribute', 'id', id)
  }
  globalThis.platenAmounts = undefined
  dom.getElementById(linksId)?.remove()
}
