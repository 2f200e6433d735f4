import type { PageScripts } from '../contract.ts'
import { call, dom } from '../dom/dom.ts'

const tags =
  'link,script,img,source,iframe,frame,object,embed,input,video,audio,track,image,use,feImage,body,table,td,th'
const attributes = ['src', 'href', 'data', 'poster', 'background', 'srcset', 'imagesrcset']

export const findElements: PageScripts['findElements'] = (urls) => {
  const wanted = new Set(urls)
  const found: Record<string, string> = {}
  for (const element of dom.querySelectorAll(tags)) {
    for (const value of valuesOf(element)) {
      if (value.length > 10_000) continue
      const url = resolve(value)
      if (wanted.has(url) && !(url in found)) found[url] = `<${element.localName.slice(0, 20)}>`
    }
  }
  return found
}

function valuesOf(element: Element): string[] {
  const values = attributes.flatMap((name) => {
    const value = call(element, 'getAttribute', name)
    if (value === null) return []
    return name.endsWith('srcset') ? value.split(',').map((part) => part.trim().split(' ')[0] ?? '') : [value]
  })
  const xlink = call(element, 'getAttributeNS', 'http://www.w3.org/1999/xlink', 'href')
  return xlink === null ? values : [...values, xlink]
}

function resolve(text: string): string {
  const url = URL.parse(text.trim(), dom.baseURI)
  if (!url) return text.trim()
  url.hash = ''
  return url.href
}
