import { type Payload, script } from './payload.ts'

const frames = (url: string) =>
  `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><img src="${url}">`

const fetches = (url: string) => `<script>
  fetch('${url}').then((a) => a.text()).then((text) => document.body.append(text)).catch(() => {})
  try { const x = new XMLHttpRequest(); x.open('GET', '${url}', false); x.send(); document.body.append(x.responseText) } catch {}
  </script>`

const spellings: Record<string, (path: string) => string> = {
  plain: (path) => `file://${path}`,
  'one-slash': (path) => `file:${path}`,
  'four-slashes': (path) => `file:///${path}`,
  localhost: (path) => `file://localhost${path}`,
  loopback: (path) => `file://127.0.0.1${path}`,
  upper: (path) => `FILE://${path}`,
  backslashes: (path) => `file:${path.replaceAll('/', '&#92;')}`,
  tabs: (path) => `f&#9;ile:&#10;//${path}`,
  encoded: (path) => `file://${path.replace('secret', '%73ecret')}`,
  dots: (path) => `file:///etc/..${path}`,
  'view-source': (path) => `view-source:file://${path}`,
  filesystem: (path) => `filesystem:file://${path}`,
  blob: (path) => `blob:file://${path}`,
  relative: (path) => path,
}

const inner = [
  'chrome://version',
  'chrome://settings',
  'chrome://gpu',
  'chrome-untrusted://print',
  'devtools://devtools/bundled/inspector.html',
  'about:version',
  'chrome-extension://mhjfbmdgcfjbbpaeojofohoefgiehjai/index.html',
  'view-source:about:blank',
]

/** Documents that load files of this machine or internal pages of the browser. */
export const files: Payload[] = [
  ...Object.entries(spellings).map(
    ([name, spell]): Payload => ({
      name: `file-${name}`,
      reaches: 'none',
      html: ({ files }) =>
        frames(spell(`${files}/secret.html`)) +
        frames(spell(`${files}/secret.svg`)) +
        fetches(`file://${files}/secret.txt`),
    }),
  ),
  {
    name: 'file-parts',
    reaches: 'none',
    html: ({
      files,
    }) => `<link rel=stylesheet href="file://${files}/secret.css"><script src="file://${files}/secret.js"></script>
      <style>@import "file://${files}/secret.css"; p { background: url(file://${files}/secret.svg); content: url(file://${files}/secret.svg) }</style>
      <svg><image href="file://${files}/secret.svg"/><use href="file://${files}/secret.svg#s"/></svg>
      <video><track default src="file://${files}/secret.vtt"></video><p>x</p>`,
  },
  {
    name: 'file-base',
    reaches: 'none',
    html: ({ files }) =>
      `<base href="file://${files}/"><iframe src=secret.html></iframe><img src=secret.svg><link rel=stylesheet href=secret.css>`,
  },
  { name: 'file-navigation', reaches: 'none', html: ({ files }) => script(`location = 'file://${files}/secret.html'`) },
  {
    name: 'file-refresh',
    reaches: 'none',
    html: ({ files }) => `<meta http-equiv=refresh content="0;url=file://${files}/secret.html">`,
  },
  {
    name: 'file-popup',
    reaches: 'none',
    html: ({ files }) =>
      script(
        `const w = open('file://${files}/secret.html'); setTimeout(() => document.body.append(w.document.body.innerText), 50)`,
      ),
  },
  {
    name: 'file-worker',
    reaches: 'none',
    html: ({ files }) => script(`new Worker('file://${files}/secret.js'); import('file://${files}/secret.js')`),
  },
  {
    name: 'file-picker',
    reaches: 'none',
    html: () =>
      script('showOpenFilePicker(); document.body.innerHTML = "<input type=file id=f>"; f.click(); f.showPicker()'),
  },
  {
    name: 'file-xml-entity',
    reaches: 'none',
    html: ({ files }) =>
      `<iframe src="data:text/xml,${encodeURIComponent(`<!DOCTYPE x [<!ENTITY e SYSTEM "file://${files}/secret.txt">]><x>&e;</x>`)}"></iframe>`,
  },
  {
    name: 'file-proc',
    reaches: 'none',
    html: () => frames('file:///proc/self/environ') + frames('file:///etc/passwd') + frames('file:///'),
  },
  ...inner.map(
    (url): Payload => ({
      name: url.replace(/\W+/g, '-'),
      reaches: 'none',
      html: () => frames(url) + script(`open('${url}')`),
    }),
  ),
]
