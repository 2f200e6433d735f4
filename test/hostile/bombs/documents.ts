import { crc32, deflateSync } from 'node:zlib'
import type { Bomb } from './bomb.ts'

const rows = (count: number, row: string) => `<table>${row.repeat(count)}</table>`
const times = (count: number, write: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join('')
const laughs = (depth: number) => times(depth, (i) => `<g id="g${i + 1}">${`<use href="#g${i}"/>`.repeat(10)}</g>`)
const patternIn = (i: number) =>
  `<pattern id=p${i + 1} width=.01 height=.01><rect width=99 height=99 fill="url(#p${i})"/></pattern>`
const entities = times(9, (i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`)
const nestedEntities = `<!DOCTYPE x [<!ENTITY a0 "ha">${entities}]><x>&a9;</x>`

function chunk(type: string, body: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), body])
  const framed = Buffer.alloc(typed.length + 8)
  framed.writeUInt32BE(body.length, 0)
  typed.copy(framed, 4)
  framed.writeUInt32BE(crc32(typed), typed.length + 4)
  return framed
}

/** A PNG of one colour: a few hundred kilobytes that decompress to gigabytes. */
function pngOf(side: number): string {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 6], 8)
  const pixels = deflateSync(Buffer.alloc(side * (side * 4 + 1)), { level: 1 })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]).toString('base64')
}

/** Documents without scripts that take time, memory and paper. */
export const documentBombs: Bomb[] = [
  { name: 'ten million pixels high', html: '<div style="height:10000000px;background:red">x</div>' },
  { name: 'ten thousand pages', html: '<div style="break-after:page">x</div>'.repeat(10_000) },
  { name: 'deep nesting', html: '<div>'.repeat(100_000) },
  { name: 'a long table', html: rows(100_000, '<tr><td>1<td>2<td>3<td>4') },
  { name: 'spanned cells', html: `<table>${'<tr><td rowspan=65534 colspan=1000>x'.repeat(500)}</table>` },
  {
    name: 'counters',
    html: `<style>p{counter-increment:a 999999999}
      p::before{content:counters(a,".") counter(a,lower-roman) counter(a,lower-alpha)}</style>${'<p>'.repeat(100_000)}`,
  },
  {
    name: 'nested has()',
    html: `<style>${'div:has(div:not(:has(~ div > b))) ~ div:has(+ div i) {color:red}\n'.repeat(500)}</style>
      ${'<div><i></i>'.repeat(300)}${'<div></div>'.repeat(20_000)}`,
  },
  {
    name: 'doubling variables',
    html: `<style>:root{--a0:x;${times(40, (i) => `--a${i + 1}:var(--a${i}) var(--a${i});`)}}
      p::before{content:var(--a40)}</style><p>x`,
  },
  {
    name: 'filters',
    html: `<div style="filter:${'blur(200px) '.repeat(40)}">
      <div style="width:3000px;height:30000px;background:red;filter:drop-shadow(9px 9px 99px red)">x</div></div>`,
  },
  {
    name: 'turbulence',
    html: `<svg width=9000 height=9000>
      <filter id=f><feTurbulence baseFrequency=".9" numOctaves=9999 /><feMorphology radius=500 /></filter>
      <rect width=9000 height=9000 filter=url(#f) /></svg>`,
  },
  { name: 'a billion laughs', html: `<svg><g id=g0><text>ha</text></g>${laughs(9)}<use href="#g9"/></svg>` },
  {
    name: 'patterns in patterns',
    html: `<svg width=2000 height=2000>${times(12, patternIn)}<rect width=2000 height=2000 fill=url(#p12) /></svg>`,
  },
  {
    name: 'entities',
    html: `<iframe src="data:text/xml,${encodeURIComponent(nestedEntities)}"></iframe>`,
  },
  { name: 'a highly compressed image', html: `<img src="data:image/png;base64,${pngOf(12_000)}">`.repeat(3) },
  {
    name: 'a broken font',
    html: `<style>@font-face{font-family:x;src:url(data:font/ttf;base64,${Buffer.alloc(3e6, 'AAEAAA').toString('base64')})}p{font-family:x}</style><p>x`,
  },
  { name: 'frames', html: '<iframe srcdoc="<p>x"></iframe>'.repeat(1_500) },
  { name: 'combining characters', html: `<p>${'x&#x0300;'.repeat(300_000)}` },
  {
    name: 'a header on every page',
    html: '<div style="break-after:page">x</div>'.repeat(90),
    headerHtml: '<p>x</p>'.repeat(20_000),
  },
  { name: 'a deeply nested header', html: 'x', headerHtml: '<div>'.repeat(50_000) },
]
