import type { BrowserPage } from '../chromium/pool/browser-page.ts'
import { domFunctions } from './dom-functions.ts'

const attributes = ['src', 'href', 'data', 'poster', 'background', 'srcset', 'imagesrcset']
const maxUrls = 60

/** Source of a function for the isolated world: it returns the first element that refers to each URL, as `<tag>`. */
const finding = `(urls) => {
  ${domFunctions}
  const wanted = new Set(urls)
  const found = {}
  const resolve = (text) => {
    const url = URL.parse(text.trim(), dom.baseURI)
    if (!url) return text.trim()
    url.hash = ''
    return url.href
  }
  const elements = dom.querySelectorAll('link,script,img,source,iframe,frame,object,embed,input,video,audio,track,image,use,feImage,body,table,td,th')
  for (const element of elements) {
    if (element.localName === 'a') continue
    const values = ${JSON.stringify(attributes)}.flatMap((name) => {
      const value = call(element, 'getAttribute', name)
      if (value === null) return []
      return name.endsWith('srcset') ? value.split(',').map((part) => part.trim().split(' ')[0]) : [value]
    })
    const xlink = call(element, 'getAttributeNS', 'http://www.w3.org/1999/xlink', 'href')
    if (xlink !== null) values.push(xlink)
    for (const value of values) {
      if (value.length > 10000) continue
      const url = resolve(value)
      if (wanted.has(url) && !(url in found)) found[url] = '<' + element.localName.slice(0, 20) + '>'
    }
  }
  return found
}`

/** The elements that refer to URLs (without fragment). URLs that only style sheets refer to are missing. */
export async function elementsOf(page: BrowserPage, urls: readonly string[]): Promise<Map<string, string>> {
  const { session, isolatedWorldId: contextId } = page
  const expression = `(${finding})(${JSON.stringify(urls.slice(0, maxUrls))})`
  const { result } = await session.send('Runtime.evaluate', { expression, contextId, returnByValue: true })
  return new Map(Object.entries((result.value ?? {}) as Record<string, string>))
}
