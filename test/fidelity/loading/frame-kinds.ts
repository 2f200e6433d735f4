import type { LoadingKind } from './loading-kind.ts'

const doctype = '<!doctype html><p>outside</p>'
const inFrame = { text: 'outside in the frame', colours: ['green'] } as const
const picture = { text: 'outside', colours: ['green'] } as const

/** Documents and pictures in the document. */
export const frameKinds: LoadingKind[] = [
  { name: 'iframe', html: (at) => `${doctype}<iframe src="${at}frame.html"></iframe>`, ...inFrame },
  {
    name: 'iframe with a font in a linked sheet',
    html: (at) => `${doctype}<iframe src="${at}styled-frame.html"></iframe>`,
    text: 'outside in the frame',
    colours: [],
  },
  {
    name: 'iframe srcdoc with an image',
    html: (at) => `${doctype}<iframe srcdoc="<p>in the frame</p><img src='${at}green.png'>"></iframe>`,
    ...inFrame,
  },
  {
    name: 'nested iframes',
    html: (at) => `${doctype}<iframe width="600" height="300" src="${at}outer-frame.html"></iframe>`,
    text: 'outside outer in the frame',
    colours: ['green'],
  },
  {
    name: 'object of HTML',
    html: (at) => `${doctype}<object type="text/html" data="${at}frame.html" width="300" height="150"></object>`,
    ...inFrame,
  },
  {
    name: 'object of SVG',
    html: (at) => `${doctype}<object type="image/svg+xml" data="${at}green.svg"></object>`,
    ...picture,
  },
  { name: 'object of PNG', html: (at) => `${doctype}<object data="${at}green.png"></object>`, ...picture },
  {
    name: 'embed of SVG',
    html: (at) => `${doctype}<embed type="image/svg+xml" src="${at}green.svg">`,
    ...picture,
  },
  {
    name: 'embed of HTML',
    html: (at) => `${doctype}<embed type="text/html" src="${at}frame.html" width="300" height="150">`,
    ...inFrame,
  },
]
