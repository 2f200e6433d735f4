import type { LoadingKind } from './loading-kind.ts'

const linked = (sheet: string, body: string) => (at: string) =>
  `<!doctype html><link rel="stylesheet" href="${at}${sheet}">${body}`
const box = '<p>beside</p><div style="width: 100px; height: 100px"></div>'
const green = { text: 'beside', colours: ['green'] } as const

/** What style sheets load. */
export const styleKinds: LoadingKind[] = [
  { name: 'font in a linked sheet', html: linked('font.css', '<p>web'), text: 'web', colours: [] },
  {
    name: 'font by a link to Google Fonts',
    html: (at) => `<!doctype html><link rel="preconnect" href="${at}"><link rel="stylesheet" href="${at}css2.css">
      <style>body { font-family: Web, serif }</style><p>web`,
    text: 'web',
    colours: [],
  },
  {
    name: 'font in a sheet imported by a style',
    html: (at) => `<!doctype html><style>@import "${at}font.css";</style><p>web`,
    text: 'web',
    colours: [],
  },
  {
    name: 'font in a sheet imported by a linked sheet',
    html: linked('import.css', '<p>web'),
    text: 'web',
    colours: [],
  },
  { name: 'background in a linked sheet', html: linked('background.css', box), ...green },
  { name: 'image-set in a linked sheet', html: linked('image-set.css', box), ...green },
  { name: 'mask in a linked sheet', html: linked('mask.css', box), ...green },
  { name: 'border image in a linked sheet', html: linked('border-image.css', box), ...green },
  { name: 'content in a linked sheet', html: linked('content.css', '<p>beside'), ...green },
  { name: 'list image in a linked sheet', html: linked('list.css', '<ul><li>beside</ul>'), ...green },
  { name: '@page background in a linked sheet', html: linked('page-background.css', '<p>beside'), ...green },
  { name: 'margin box in a linked sheet', html: linked('margin-box.css', '<p>beside'), ...green },
  {
    name: 'sheet for print, linked in the body',
    html: (at) => `<!doctype html>${box}<link rel="stylesheet" media="print" href="${at}background.css">`,
    ...green,
  },
]
