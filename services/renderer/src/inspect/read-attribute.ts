import type { Attribute } from '@platen/templating/html/read-tag.ts'
import { imageCandidates } from '@platen/templating/html/srcset.ts'
import { dataType, isBlank, isFragment, urlKind } from '@platen/templating/html/url-kind.ts'
import type { Findings } from './findings.ts'
import { isFrame, mayHoldDocument } from './frames.ts'
import { readStyle } from './read-style.ts'

/** Attributes of SVG whose values may refer to something by `url()`. */
const presentationAttributes = new Set([
  ...['fill', 'stroke', 'filter', 'mask', 'clip-path', 'cursor', 'marker', 'marker-start', 'marker-mid', 'marker-end'],
])
/** Elements whose `href` loads nothing by itself. */
const linking = new Set(['a', 'area', 'base'])

/** Adds the findings of an attribute. */
export function readAttribute(element: string, { name, value }: Attribute, findings: Findings): void {
  switch (name) {
    case 'class':
    case 'id':
      break
    case 'style':
      readStyle(value, findings)
      break
    case 'href':
    case 'xlink:href':
      if (linking.has(element)) readLink(value, findings)
      else readUrl(element, value, findings)
      break
    case 'src':
    case 'poster':
    case 'background':
      readUrl(element, value, findings)
      break
    case 'data':
      if (element === 'object') readUrl(element, value, findings)
      break
    case 'srcset':
    case 'imagesrcset':
      readImageSet(element, value, findings)
      break
    case 'action':
    case 'formaction':
      readLink(value, findings)
      break
    case 'media':
    case 'sizes':
      readStyle(value, findings, { atRule: 'media' })
      break
    case 'width':
    case 'height':
      readStyle(value, findings, { property: name })
      break
    case 'autofocus':
      findings.leavesState = true
      break
    default:
      if (name.startsWith('on') && value !== '') findings.script = true
      else if (presentationAttributes.has(name)) readStyle(value, findings, { property: name })
  }
}

function readLink(url: string, findings: Findings): void {
  const kind = urlKind(url)
  if (kind === 'script' || (kind === 'data' && dataType(url) === 'text/html')) findings.script = true
}

function readUrl(element: string, url: string, findings: Findings): void {
  const kind = urlKind(url)
  if (kind === 'script') findings.script = true
  if (kind === 'inside') {
    if (isFragment(url)) findings.loadsFragment = true
    // Unlike an empty one, a URL of spaces is loaded, and fails.
    else if (url !== '' && isBlank(url)) findings.loads = true
    return
  }
  findings.loads = true
  // A style sheet or document in a `data:` URL may refer to others.
  const holdsUrls = element === 'link' || isFrame(element)
  if (kind === 'outside' || (holdsUrls && mayHoldDocument(url))) findings.fetches = true
}

function readImageSet(element: string, srcset: string, findings: Findings): void {
  for (const { url, descriptor } of imageCandidates(srcset)) {
    readUrl(element, url, findings)
    if (descriptor.endsWith('w')) findings.viewportDependent = true
  }
}
