import type { Payload } from './payload.ts'

/** Elements that load URLs, without scripts. */
export const elements: Payload[] = [
  { name: 'img', html: ({ http }) => `<img src="${http}/a.png">` },
  { name: 'img-srcset', html: ({ http }) => `<img srcset="${http}/a.png 1x, ${http}/b.png 2x">` },
  { name: 'img-lazy', html: ({ http }) => `<img loading=lazy src="${http}/a.svg">` },
  { name: 'img-cors', html: ({ http }) => `<img crossorigin=use-credentials src="${http}/a.svg">` },
  { name: 'img-attribution', html: ({ http }) => `<img attributionsrc="${http}/a" src="${http}/a.svg">` },
  { name: 'picture', html: ({ http }) => `<picture><source srcset="${http}/a.svg"><img></picture>` },
  { name: 'input-image', html: ({ http }) => `<input type=image src="${http}/a.svg">` },
  { name: 'body-background', html: ({ http }) => `<body background="${http}/a.svg">x` },
  { name: 'table-background', html: ({ http }) => `<table background="${http}/a.svg"><tr><td>x</table>` },
  { name: 'video', html: ({ http }) => `<video autoplay src="${http}/a.mp4"></video>` },
  { name: 'video-poster', html: ({ http }) => `<video poster="${http}/a.svg"></video>` },
  { name: 'audio', html: ({ http }) => `<audio autoplay controls src="${http}/a.mp3"></audio>` },
  { name: 'audio-source', html: ({ http }) => `<audio autoplay><source src="${http}/a.mp3"></audio>` },
  {
    name: 'track',
    html: ({ http }) =>
      `<video crossorigin src="${http}/a.mp4"><track default kind=captions src="${http}/a.vtt"></video>`,
  },
  { name: 'object', html: ({ http }) => `<object data="${http}/a.html"></object>` },
  { name: 'object-image', html: ({ http }) => `<object type=image/svg+xml data="${http}/a.svg"></object>` },
  { name: 'embed', html: ({ http }) => `<embed src="${http}/a.html">` },
  { name: 'embed-pdf', reaches: 'none', html: ({ http }) => `<embed type=application/pdf src="${http}/a.pdf">` },
  { name: 'iframe', html: ({ http }) => `<iframe src="${http}/a.html"></iframe>` },
  { name: 'iframe-sandboxed', html: ({ http }) => `<iframe sandbox src="${http}/a.html"></iframe>` },
  { name: 'iframe-srcdoc', html: ({ http }) => `<iframe srcdoc="<img src='${http}/a.svg'>"></iframe>` },
  {
    name: 'iframe-in-iframe',
    html: ({ http }) => `<iframe srcdoc="<iframe srcdoc='<iframe src=${http}/a.html></iframe>'></iframe>"></iframe>`,
  },
  {
    name: 'iframe-data',
    html: ({ http }) => `<iframe src="data:text/html,<iframe src=${http}/a.html></iframe>"></iframe>`,
  },
  { name: 'frame', html: ({ http }) => `<frameset><frame src="${http}/a.html"></frameset>` },
  { name: 'portal', reaches: 'none', html: ({ http }) => `<portal src="${http}/a.html"></portal>` },
  { name: 'fencedframe', reaches: 'none', html: ({ http }) => `<fencedframe src="${http}/a.html"></fencedframe>` },
  { name: 'noscript', html: ({ http }) => `<noscript><img src="${http}/a.svg"></noscript>`, reaches: 'none' },
  {
    name: 'shadow-root',
    html: ({ http }) => `<div><template shadowrootmode=open><img src="${http}/a.svg"></template></div>`,
  },
  { name: 'base', html: ({ http }) => `<base href="${http}/"><img src="a.svg">` },
  {
    name: 'scheme-relative',
    reaches: 'none',
    html: ({ host, port }) => `<img src="//${host}:${port}/scheme-relative/a.svg">`,
  },
  { name: 'script-src', html: ({ http }) => `<script src="${http}/a.js"></script>` },
  { name: 'script-module', html: ({ http }) => `<script type=module src="${http}/a.js"></script>` },
  { name: 'link-stylesheet', html: ({ http }) => `<link rel=stylesheet href="${http}/a.css">` },
  {
    name: 'link-alternate-stylesheet',
    html: ({ http }) => `<link rel="alternate stylesheet" title=x href="${http}/a.css">`,
  },
  { name: 'link-print-stylesheet', html: ({ http }) => `<link rel=stylesheet media=print href="${http}/a.css">` },
  { name: 'link-icon', reaches: 'none', html: ({ http }) => `<link rel=icon href="${http}/a.ico">` },
  { name: 'link-manifest', reaches: 'none', html: ({ http }) => `<link rel=manifest href="${http}/a.json">` },
  { name: 'link-preload', html: ({ http }) => `<link rel=preload as=image href="${http}/a.svg">` },
  { name: 'link-preload-font', html: ({ http }) => `<link rel=preload as=font crossorigin href="${http}/a.woff2">` },
  { name: 'link-prefetch', html: ({ http }) => `<link rel=prefetch href="${http}/a.html">` },
  { name: 'link-prerender', reaches: 'none', html: ({ http }) => `<link rel=prerender href="${http}/a.html">` },
  { name: 'link-preconnect', reaches: 'none', html: ({ https }) => `<link rel=preconnect href="${https}/">` },
  { name: 'link-modulepreload', html: ({ http }) => `<link rel=modulepreload href="${http}/a.js">` },
  {
    name: 'link-dns-prefetch',
    reaches: 'none',
    html: () => '<link rel=dns-prefetch href="//dns-prefetch.leak.test"><a href="//a.leak.test">x</a>',
  },
  {
    name: 'csp-report',
    html: ({ http }) =>
      `<meta http-equiv=Content-Security-Policy content="img-src 'none'; report-uri ${http}/report"><img src="${http}/a.svg">`,
    reaches: 'none',
  },
  {
    name: 'speculation-rules-document',
    html: ({ http }) => `<script type=speculationrules>
      {"prefetch":[{"source":"document","where":{"href_matches":"/*"},"eagerness":"immediate"}]}</script>
      <a href="${http}/a.html">x</a>`,
    reaches: 'none',
  },
  {
    name: 'speculation-rules',
    html: ({ http }) => `<script type=speculationrules>
      {"prefetch":[{"urls":["${http}/a.html"],"eagerness":"immediate"}],"prerender":[{"urls":["${http}/b.html"]}]}</script>x`,
  },
]
