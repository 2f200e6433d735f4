import { type Payload, script, worker } from './payload.ts'

/** Requests made by scripts. */
export const scripts: Payload[] = [
  { name: 'fetch', html: ({ http }) => script(`fetch('${http}/a.txt').then(show)`) },
  {
    name: 'fetch-post',
    html: ({ http }) => script(`fetch('${http}/a', { method: 'POST', mode: 'no-cors', body: 'x' })`),
  },
  { name: 'fetch-put', html: ({ http }) => script(`fetch('${http}/a', { method: 'PUT', body: 'x' })`) },
  { name: 'fetch-keepalive', html: ({ http }) => script(`fetch('${http}/a', { keepalive: true, mode: 'no-cors' })`) },
  { name: 'fetch-later', html: ({ http }) => script(`fetchLater('${http}/a', { activateAfter: 0 })`), reaches: 'none' },
  { name: 'fetch-https', reaches: 'tcp', html: ({ https }) => script(`fetch('${https}/a', { mode: 'no-cors' })`) },
  {
    name: 'fetch-local-network',
    html: ({ http }) => script(`fetch('${http}/a.txt', { targetAddressSpace: 'loopback' }).then(show)`),
  },
  {
    name: 'xhr',
    html: ({ http }) =>
      script(`const x = new XMLHttpRequest(); x.onload = () => document.body.append(x.responseText)
      x.open('GET', '${http}/a.txt'); x.send()`),
  },
  {
    name: 'xhr-synchronous',
    html: ({ http }) =>
      script(`const x = new XMLHttpRequest(); x.open('GET', '${http}/a.txt', false); x.send()
      document.body.append(x.responseText)`),
  },
  { name: 'beacon', html: ({ http }) => script(`navigator.sendBeacon('${http}/a', 'x')`) },
  {
    name: 'beacon-on-leaving',
    html: ({ http }) =>
      script(`for (const e of ['pagehide', 'unload', 'visibilitychange', 'beforeunload'])
      addEventListener(e, () => navigator.sendBeacon('${http}/a'))`),
  },
  {
    name: 'websocket',
    html: ({ ws }) => script(`new WebSocket('${ws}/a').onmessage = ({ data }) => document.body.append(data)`),
  },
  { name: 'websocket-tls', reaches: 'tcp', html: ({ wss }) => script(`new WebSocket('${wss}/a')`) },
  { name: 'websocket-stream', html: ({ ws }) => script(`new WebSocketStream('${ws}/a')`) },
  { name: 'event-source', html: ({ http }) => script(`new EventSource('${http}/a')`) },
  {
    name: 'web-transport',
    reaches: 'none',
    html: ({ https }) => script(`new WebTransport('${https}/a').ready.catch(() => {})`),
  },
  { name: 'image-object', html: ({ http }) => script(`new Image().src = '${http}/a.svg'`) },
  { name: 'audio-object', html: ({ http }) => script(`new Audio('${http}/a.mp3').play().catch(() => {})`) },
  {
    name: 'font-face-object',
    html: ({ http }) => script(`new FontFace('x', 'url(${http}/a)').load().catch(() => {})`),
  },
  { name: 'dynamic-import', html: ({ http }) => script(`import('${http}/a.js').catch(() => {})`) },
  { name: 'document-write', html: ({ http }) => script(`document.write('<img src="${http}/a.svg">')`) },
  {
    name: 'custom-element',
    html: ({ http }) =>
      script(`customElements.define('x-x', class extends HTMLElement {
      connectedCallback() { this.innerHTML = '<img src="${http}/a.svg">' } }); document.body.append(document.createElement('x-x'))`),
  },
  {
    name: 'canvas-image',
    html: ({ http }) =>
      script(`const i = new Image(); i.crossOrigin = ''; i.src = '${http}/a.svg'
      i.onload = () => document.body.append(i)`),
  },
  { name: 'paint-worklet', html: ({ http }) => script(`CSS.paintWorklet.addModule('${http}/a.js')`), reaches: 'none' },
  {
    name: 'audio-worklet',
    html: ({ http }) => script(`new OfflineAudioContext(1, 9, 44100).audioWorklet.addModule('${http}/a.js')`),
    reaches: 'none',
  },
  {
    name: 'ping',
    html: ({ http }) =>
      script(`const a = document.createElement('a'); a.href = '#x'; a.ping = '${http}/a'
      document.body.append(a); a.click()`),
  },
  { name: 'event-attribute', html: ({ http }) => `<img src=data:, onerror="fetch('${http}/a')">` },
  { name: 'javascript-url', html: ({ http }) => `<iframe src="javascript:fetch('${http}/a')"></iframe>` },
  {
    name: 'javascript-url-tab',
    html: ({ http }) => `<iframe src="java&#9;script:void (new Image().src='${http}/a')"></iframe>`,
  },
  {
    name: 'data-frame',
    html: ({ http }) => `<iframe src="data:text/html,<script>fetch('${http}/a',{mode:'no-cors'})</script>"></iframe>`,
  },
  {
    name: 'blob-frame',
    html: ({ http }) =>
      script(`const f = document.createElement('iframe'); f.src = URL.createObjectURL(
      new Blob(['<img src="${http}/a.svg">'], { type: 'text/html' })); document.body.append(f)`),
  },
  {
    name: 'object-blob-svg',
    html: ({ http }) =>
      script(`const o = document.createElement('object'); o.data = URL.createObjectURL(
      new Blob(['<svg xmlns="http://www.w3.org/2000/svg"><image href="${http}/a.svg"/></svg>'], { type: 'image/svg+xml' }))
      document.body.append(o)`),
  },
  {
    name: 'filesystem-url',
    reaches: 'none',
    html: () => '<iframe src="filesystem:http://127.0.0.1/temporary/x.html"></iframe>',
  },
  { name: 'worker-fetch', html: ({ http }) => script(worker(`fetch('${http}/a', { mode: 'no-cors' })`)) },
  { name: 'worker-websocket', html: ({ ws }) => script(worker(`new WebSocket('${ws}/a')`)) },
  { name: 'worker-import', html: ({ http }) => script(worker(`importScripts('${http}/a.js')`)) },
  {
    name: 'worker-in-worker',
    html: ({ ws }) => script(worker(`new Worker(URL.createObjectURL(new Blob(["new WebSocket('${ws}/a')"])))`)),
  },
  { name: 'worker-data-url', html: ({ ws }) => script(`new Worker("data:text/javascript,new WebSocket('${ws}/a')")`) },
  {
    name: 'shared-worker',
    reaches: 'none',
    html: ({ ws }) => script(`new SharedWorker("data:text/javascript,new WebSocket('${ws}/a')")`),
  },
  {
    name: 'service-worker',
    reaches: 'none',
    html: ({ http }) => script(`navigator.serviceWorker.register('${http}/a.js')`),
  },
  {
    name: 'service-worker-data',
    reaches: 'none',
    html: ({ ws }) => script(`navigator.serviceWorker.register("data:text/javascript,new WebSocket('${ws}/a')")`),
  },
]
