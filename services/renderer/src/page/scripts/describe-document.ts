import type { DescriptionTime, DocumentDescription, PageScripts } from '../contract.ts'
import { brokenHeadings } from '../dom/broken-headings.ts'
import { dom } from '../dom/dom.ts'
import { isLoaded, layOut } from '../dom/loaded.ts'
import { pageRules } from '../dom/page-rules.ts'
import { rareCharacters } from '../dom/rare-characters.ts'

export const describeDocument: PageScripts['describeDocument'] = (time) => (isTime(time) ? describe() : undefined)

export const describeInDepth: PageScripts['describeInDepth'] = (time, parts) =>
  isTime(time)
    ? {
        ...describe(),
        rareCharacters: parts.rareCharacters ? rareCharacters() : '',
        pageRules: parts.pageRules ? pageRules() : undefined,
        brokenHeadings: parts.brokenHeadings ? brokenHeadings() : undefined,
      }
    : undefined

export const isFrameLoaded: PageScripts['isFrameLoaded'] = () => dom.readyState !== 'loading' && isLoaded()

function isTime(time: DescriptionTime): boolean {
  if (time === 'anyway') {
    layOut()
    return true
  }
  if (dom.readyState !== 'complete') return false
  return time === 'atOnce' ? dom.fonts.status === 'loaded' : isLoaded()
}

function describe(): DocumentDescription {
  return {
    lang: attribute(dom.documentElement, 'lang'),
    author: meta('author'),
    description: meta('description'),
    keywords: meta('keywords'),
    brokenImages: brokenImages(),
    rareCharacters: '',
  }
}

const attribute = (element: Element | null | undefined, name: string) =>
  (element?.getAttribute(name) ?? '').slice(0, 500)

const meta = (name: string) => attribute(dom.head?.querySelector(`meta[name=${name} i]`), 'content')

function brokenImages(): string[] {
  const broken: string[] = []
  for (const image of dom.images) {
    if (image.naturalWidth > 0 || !image.complete || broken.length >= 30) continue
    const url = image.currentSrc || attribute(image, 'src')
    if (url !== '') broken.push(url.slice(0, 500))
  }
  return broken
}
