import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { readPdf } from '../support/read-pdf.ts'
import { openTestPrinter } from '../support/renderer/open-test-printer.ts'
import { inParallel } from './support/in-parallel.ts'

// With `javascript: "off"` no script of a document or of a frame runs, in whatever way it is written.
t.setTimeout(600_000)

/** What a frame from the network shows and asks for if scripts run in it. */
const files: Record<string, { type: string; body: string }> = {
  frame: { type: 'text/html', body: "<p>frame</p><script>fetch('/ran')</script>" },
  xhtml: {
    type: 'application/xhtml+xml',
    body: `<html xmlns="http://www.w3.org/1999/xhtml"><body>x<script>fetch('/ran')</script></body></html>`,
  },
  svg: {
    type: 'image/svg+xml',
    body: `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('/ran')"><script>fetch('/ran')</script></svg>`,
  },
  js: { type: 'text/javascript', body: "document.documentElement.append('STAIN'); fetch('/ran')" },
}
let ran = 0
const server = createServer((request, response) => {
  const [, name = ''] = /^\/(\w*)/.exec(request.url ?? '') ?? []
  if (name === 'ran') ran += 1
  if (name === 'redir') return response.writeHead(302, { location: '/frame' }).end()
  if (name === 'refresh') response.setHeader('refresh', '0; url=/frame')
  const { type, body } = files[name] ?? { type: 'text/html', body: '' }
  response.setHeader('content-type', type).setHeader('access-control-allow-origin', '*').end(body)
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
t.teardown(() => {
  server.closeAllConnections()
  server.close()
})
const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const stain = "document.documentElement.append('STAIN')"
const both = `${stain};try{parent.document.body.append('STAIN')}catch(e){}`
const frame = `<body onload=&quot;${stain}&quot;><script>${both}</script>`
const frameUrl = encodeURIComponent(`<body onload="${stain}"><script>${both}</script>`)
const base64 = Buffer.from(decodeURIComponent(frameUrl)).toString('base64')
/** A data URL of an SVG. */
const svgUrl = (content: string) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`)}`

const documents: Record<string, string> = {
  script: `<script>${stain}</script>x`,
  'script svg': `<svg><script>${stain}</script></svg>`,
  'script svg cdata': `<svg><script><![CDATA[${stain}]]></script></svg>`,
  'script in math': `<math><script>${stain}</script></math>`,
  'script src data': `<script src="data:text/javascript,${stain}"></script>`,
  'script src http': `<script src="${at}/js"></script>`,
  module: `<script type=module>${stain}</script>`,
  'img onerror': `<img src=x onerror="${stain}">`,
  'img data onerror slash': `<img src=x data:x;base64,/onerror="${stain}">`,
  'numeric entity long': `<iframe src="&#x00000000006a;avascript:parent.${stain}"></iframe>`,
  'numeric entity': `<a href="&#x000000000063;">x</a><iframe src="javas&#x000000000063;ript:parent.${stain}"></iframe>`,
  'body onload': `<body onload="${stain}">x`,
  'svg onload': `<svg onload="${stain}"><text y=10>x</text></svg>`,
  'style onload': `<style onload="${stain}"></style>x`,
  'link onload': `<link rel=stylesheet href="data:text/css,x" onload="${stain}">x`,
  'details ontoggle': `<details open ontoggle="${stain}">x</details>`,
  'input autofocus': `<input autofocus onfocus="${stain}">`,
  marquee: `<marquee onstart="${stain}">x</marquee>`,
  video: `<video src="data:," onerror="${stain}"></video><audio src="data:," onerror="${stain}"></audio>`,
  'video source': `<video><source src="data:," onerror="${stain}"></video>`,
  'smil onbegin': `<svg><animate attributeName=x dur=1s onbegin="${stain}" /></svg>`,
  'css anim': `<style>@keyframes a{to{color:red}} p{animation:a .1s}</style><p onanimationend="${stain}" onanimationstart="${stain}">x`,
  'iframe srcdoc': `<iframe srcdoc="${frame}"></iframe>`,
  'iframe data': `<iframe src="data:text/html,${frameUrl}"></iframe>`,
  'iframe data b64': `<iframe src="data:text/html;base64,${base64}"></iframe>`,
  'iframe data svg': `<iframe src="${svgUrl(`<script>fetch('${at}/ran')</script>`)}"></iframe>`,
  'iframe data xhtml': `<iframe src="data:application/xhtml+xml,${encodeURIComponent(files.xhtml?.body ?? '')}"></iframe>`,
  'iframe javascript': `<iframe src="javascript:'STAIN'"></iframe>`,
  'iframe javascript tab': `<iframe src="java\tscript:'STAIN'"></iframe>`,
  'object data html': `<object data="data:text/html,${frameUrl}" type=text/html></object>`,
  'object javascript': `<object data="javascript:'STAIN'"></object>`,
  'embed data html': `<embed src="data:text/html,${frameUrl}" type=text/html>`,
  'embed svg': `<embed src="${svgUrl("<script>parent.document.body.append('STAIN')</script>")}">`,
  'object svg': `<object data="${svgUrl("<script>parent.document.body.append('STAIN')</script>")}"></object>`,
  frameset: `<frameset><frame src="data:text/html,${frameUrl}"></frameset>`,
  nested: `<iframe srcdoc="<iframe srcdoc='<script>top.document.body.append(&amp;quot;STAIN&amp;quot;)</script>'></iframe>"></iframe>`,
  comment: `<!-- <iframe src="data:text/html,x"></iframe> <script>x</script> --><p>x</p><iframe srcdoc="${frame}"></iframe>`,
  'comment closing': `<!--><script>${stain}</script>-->`,
  'comment closing 2': `<!--x--!><script>${stain}</script>-->`,
  'comment dash': `<!---><img src=x onerror="${stain}">-->`,
  textarea: `<textarea></textarea><script>${stain}</script>`,
  noscript: `<noscript><p title="</noscript><script>${stain}</script>">`,
  'plaintext after': `<svg><style><img src=x onerror="${stain}"></style></svg>`,
  template: `<template><script>${stain}</script></template><template shadowrootmode=open><script>${stain}</script><img src=x onerror="${stain}"></template>`,
  shadow: `<div><template shadowrootmode=open><img src=x onerror="document.documentElement.append('STAIN')"></template></div>`,
  cdata: `<svg><![CDATA[><img src=x onerror="${stain}">]]></svg>`,
  'frame http': `<iframe src="${at}/frame-http"></iframe>`,
  'object http': `<object data="${at}/frame-object"></object>`,
  'embed http': `<embed src="${at}/frame-embed">`,
  'frame redirect': `<iframe src="${at}/redir"></iframe>`,
  'frame refresh header': `<iframe src="${at}/refresh"></iframe>`,
  'frame meta refresh': `<iframe srcdoc="<meta http-equiv=refresh content='0;url=data:text/html,${frameUrl}'>"></iframe>`,
  'frame xhtml': `<iframe src="${at}/xhtml"></iframe>`,
  'frame svg': `<iframe src="${at}/svg"></iframe><img src="${at}/svg?img"><object data="${at}/svg?o"></object>`,
  'frame xslt': `<iframe src="${at}/xml"></iframe>`,
  'frame mht': `<iframe src="${at}/mht"></iframe>`,
  'image svg script': `<img src="${svgUrl(`<script>fetch('${at}/ran')</script>`)}">`,
  'use svg': `<svg><use href="${at}/svg#a" /></svg>`,
  worker: `<script>new Worker('data:text/javascript,fetch("${at}/ran")')</script>x`,
  importmap: `<script type=importmap>{"imports":{"a":"${at}/js"}}</script><script type=module>import 'a'</script>`,
  speculation: `<script type=speculationrules>{"prerender":[{"urls":["${at}/frame-prerender"]}]}</script>x`,
  prefetch: `<link rel=prefetch href="${at}/frame-prefetch"><link rel=prerender href="${at}/frame-prerender2"><link rel=modulepreload href="${at}/js">x`,
  'pdf embed': `<embed type=application/pdf src="data:application/pdf;base64,JVBERi0xLjE=">`,
  'form autosubmit': `<form action="javascript:${stain}"><input type=submit autofocus></form>`,
  'base javascript': `<base href="javascript:"><iframe src="'STAIN'"></iframe>`,
  'sandbox allow-scripts': `<iframe sandbox="allow-scripts allow-same-origin" srcdoc="${frame}"></iframe>`,
  fencedframe: `<fencedframe></fencedframe><portal src="data:text/html,${frameUrl}"></portal>x`,
  'popover command': `<button popovertarget=p autofocus>b</button><p popover id=p ontoggle="${stain}">x`,
  'content-visibility': `<p style="content-visibility:auto" oncontentvisibilityautostatechange="${stain}">x`,
  scroll: `<body onscroll="${stain}" onresize="${stain}" onbeforeprint="${stain}" onpageshow="${stain}">x`,
  'xml pi': `<?xml-stylesheet href="javascript:${stain}"?>x`,
  'isindex style': `<style>@import "javascript:${stain}"; p { background: url("javascript:${stain}") }</style><p>x`,
  'iframe in svg': `<svg><foreignObject width=200 height=100><iframe srcdoc="${frame}"></iframe></foreignObject></svg>`,
  'iframe in math': `<math><annotation-xml encoding=text/html><iframe srcdoc="${frame}"></iframe></annotation-xml></math>`,
  'lazy iframe': `<iframe loading=lazy srcdoc="${frame}"></iframe>`,
  'object nested': `<object data="data:x/y,"><object data="data:text/html,${frameUrl}"></object></object>`,
  'select iframe': `<select><option><iframe srcdoc="${frame}"></iframe></select>`,
}
async function showsStain(javascript: 'off' | 'auto', html: string): Promise<boolean> {
  const { pdf } = await printer.printHtml(html, { javascript })
  return (await readPdf(pdf)).some(({ text }) => text.replaceAll(' ', '').includes('STAIN'))
}

await using printer = await openTestPrinter({ egress: 'any', deadlineMs: 120_000 })

await t.test('no script runs in a document or frame where scripts are off', async (t) => {
  const stained: string[] = []
  await inParallel(Object.entries(documents), 2, async ([name, html]) => {
    if (await showsStain('off', html)) stained.push(name)
  })
  t.same(stained, [])
  t.equal(ran, 0, 'no script of a frame asks for anything')
})

await t.test('the same documents run their scripts where scripts are on', async (t) => {
  let stained = 0
  await inParallel(Object.values(documents), 2, async (html) => {
    const shows = await showsStain('auto', html)
    stained += Number(shows)
  })
  t.ok(stained > 30, `${stained} of ${Object.keys(documents).length}`)
  t.ok(ran > 3)
})
