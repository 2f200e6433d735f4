import type { LoadingKind } from './loading-kind.ts'

const doctype = '<!doctype html><p>beside</p>'
const seen = { text: 'beside', colours: ['green'] } as const
const farDown = '<div style="height: 5000px"></div>'

/** Images that elements load. */
export const imageKinds: LoadingKind[] = [
  { name: 'image', html: (at) => `${doctype}<img src="${at}green.png">`, ...seen },
  {
    name: 'lazy image far down',
    html: (at) => `${doctype}${farDown}<img loading="lazy" src="${at}green.png">`,
    judged: `${doctype}${farDown}<img src="green.png">`,
    ...seen,
  },
  {
    name: 'srcset',
    html: (at) => `${doctype}<img src="${at}red.png" srcset="${at}green.png 1x, ${at}blue.png 2x">`,
    ...seen,
  },
  {
    name: 'picture',
    html: (at) => `${doctype}<picture><source media="print" srcset="${at}green.svg"><img src="${at}red.png"></picture>`,
    ...seen,
  },
  {
    name: 'poster',
    html: (at) => `${doctype}<video width="100" height="100" poster="${at}green.png"></video>`,
    ...seen,
  },
  { name: 'image button', html: (at) => `${doctype}<input type="image" src="${at}green.png">`, ...seen },
  {
    name: 'image in SVG',
    html: (at) => `${doctype}<svg width="40" height="40"><image href="${at}green.png" width="40" height="40"/></svg>`,
    ...seen,
  },
  {
    name: 'use of another file',
    html: (at) => `${doctype}<svg width="40" height="40"><use href="${at}green.svg#a"/></svg>`,
    ...seen,
    sameOrigin: true,
  },
]
