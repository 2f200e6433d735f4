import { type Attribute, attributeValue, type Tag } from '@platen/templating/html/read-tag.ts'
import type { Findings } from './findings.ts'
import { isFrame, mayRunScripts } from './frames.ts'
import { readAttribute } from './read-attribute.ts'
import { readStyle } from './read-style.ts'

const animationValues = new Set(['from', 'to', 'by', 'values'])

/** Adds the findings of a start tag. The prefix of a name such as `svg:script` is ignored. */
export function readElement({ name, attributes }: Tag, findings: Findings): void {
  const element = name.slice(name.lastIndexOf(':') + 1)
  readName(element, attributes, findings)
  for (const attribute of attributes) readAttribute(element, attribute, findings)
}

function readName(element: string, attributes: readonly Attribute[], findings: Findings): void {
  switch (element) {
    case 'script':
      if (!/^application\/(ld\+)?json$/i.test(attributeValue(attributes, 'type') ?? '')) findings.script = true
      return
    case 'tr':
      findings.rows++
      return
    case 'noscript':
    case 'video':
    case 'canvas':
      findings.script = true
      return
    case 'marquee':
    case 'discard':
      findings.moves = true
      return
    case 'animate':
    case 'animatemotion':
    case 'animatetransform':
    case 'set':
      findings.moves = true
      readAnimation(attributes, findings)
      return
    case 'style':
      if (attributeValue(attributes, 'title') !== undefined) findings.leavesState = true
      return
    case 'link':
      readLink(attributes, findings)
      return
    case 'meta':
      readMeta(attributes, findings)
      return
    case 'base':
      findings.baseHref ??= attributeValue(attributes, 'href')
      return
    case 'html':
      findings.lang ??= attributeValue(attributes, 'lang')
      return
  }
  if (isFrame(element)) {
    findings.frames = true
    if (attributeValue(attributes, 'srcdoc') !== undefined) findings.loads = findings.fetches = true
    if (mayRunScripts(element, attributes)) findings.script = true
  }
}

function readLink(attributes: readonly Attribute[], findings: Findings): void {
  findings.links = true
  if (attributeValue(attributes, 'rel')?.toLowerCase().includes('stylesheet')) findings.linkedStyles = true
  if (attributeValue(attributes, 'title') !== undefined) findings.leavesState = true
}

function readMeta(attributes: readonly Attribute[], findings: Findings): void {
  const equivalent = attributeValue(attributes, 'http-equiv')?.trim().toLowerCase()
  if (equivalent === 'refresh') findings.script = true
  if (attributeValue(attributes, 'name')?.toLowerCase() === 'author')
    findings.author ??= attributeValue(attributes, 'content')
  const harmless = equivalent === 'content-type' ? ['http-equiv', 'content'] : ['charset']
  if (!attributes.every(({ name }) => harmless.includes(name))) findings.leavesState = true
}

/** An animated `href` loads each of its values. */
function readAnimation(attributes: readonly Attribute[], findings: Findings): void {
  if (attributeValue(attributes, 'attributename')?.toLowerCase().includes('href'))
    findings.loads = findings.fetches = true
  for (const { name, value } of attributes) if (animationValues.has(name)) readStyle(value, findings)
}
