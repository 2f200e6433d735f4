import { type Attribute, attributeValue } from '@platen/templating/html/read-tag.ts'
import { dataType, urlKind } from '@platen/templating/html/url-kind.ts'

const frames = new Set(['iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'fencedframe', 'portal'])

/** Whether an element may contain another document. */
export const isFrame = (element: string) => frames.has(element)

/** Whether scripts may run in a frame, object or embed. An image in an object or embed runs none. */
export function mayRunScripts(element: string, attributes: readonly Attribute[]): boolean {
  const sandbox = element === 'iframe' ? attributeValue(attributes, 'sandbox') : undefined
  if (sandbox !== undefined && !sandbox.toLowerCase().includes('allow-scripts')) return false
  if (attributeValue(attributes, 'srcdoc') !== undefined) return true
  const url = attributeValue(attributes, element === 'object' ? 'data' : 'src') ?? ''
  const kind = urlKind(url)
  if (kind === 'data') return mayHoldDocument(url)
  const mayBeImage = element === 'object' || element === 'embed'
  return kind !== 'inside' && !(mayBeImage && isImage(url, attributeValue(attributes, 'type') ?? ''))
}

/** Whether a `data:` URL is something other than an image of pixels. */
export function mayHoldDocument(url: string): boolean {
  const type = dataType(url)
  return !type.startsWith('image/') || type.startsWith('image/svg')
}

const imageExtensions = ['.png', '.jpg', '.jpeg', '.gif', '.webp', '.avif', '.bmp', '.ico', '.svg']

function isImage(url: string, type: string): boolean {
  if (type.trim().toLowerCase().startsWith('image/')) return true
  const [path = ''] = url.split(/[?#]/, 1)
  return imageExtensions.some((extension) => path.trim().toLowerCase().endsWith(extension))
}
