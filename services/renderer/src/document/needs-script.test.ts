import t from 'tap'
import { hasFrames, needsScript, stains } from './needs-script.ts'

const scripted = {
  script: '<p>x</p><SCRIPT>1</SCRIPT>',
  'script in svg': '<svg><script href=x /></svg>',
  'script with a prefix': '<svg:script>1</svg:script>',
  noscript: '<noscript>no script</noscript>',
  'event attribute': '<img src=x onerror=alert(1)>',
  'after a slash': '<svg/onload=alert(1)>',
  'after a quote': '<img src="x"onerror="1">',
  'spread over lines': '<img src=x\n\tONERROR\n = 1>',
  'after a form feed': '<img src=x\fonerror=1>',
  'an event that nobody knows yet': '<p onwhatever=1>',
  'animation event': '<svg><g onbegin=1></svg>',
  'javascript:': '<a href="javascript:alert(1)">x</a>',
  'in capitals': '<a href=JavaScript:1>x</a>',
  'with tabs': '<a href="java\tscr\nipt:1">x</a>',
  'as references': '<a href="&#106;&#x61;vascript&colon;1">x</a>',
  'with referenced tabs': '<a href="java&Tab;script&#58;1">x</a>',
  'without semicolons': '<a href="&#0000106avascript&#58alert(1)">x</a>',
  'padded with controls': '<a href="&#1;\u0001javascript:1">x</a>',
  vbscript: '<a href=vbscript:1>x</a>',
  'data as a document': '<a href="data:text/html,x">x</a>',
  iframe: '<iframe src=x></iframe>',
  frameset: '<frameset><frame src=x></frameset>',
  object: '<object data=x></object>',
  embed: '<EMBED src=x>',
  refresh: '<meta http-equiv="refresh" content="0;url=x">',
  'refresh as references': '<meta http-equiv="&#114;efresh" content=0>',
  'moving attribute': '<svg><a><animate attributeName=href to=x></a></svg>',
  'set attribute': '<svg><set attributeName=x to=y></svg>',
  keyframes: '<style>@keyframes x { to { opacity: 1 } }</style>',
  marquee: '<marquee>x</marquee>',
  'media query': '<style>@media ( scripting: none) { p { color: red } }</style>',
}
const plain = {
  empty: '',
  text: 'plain text',
  invoice: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title>
    <style>@page { margin: 0 } .once { content: "on" } @font-face { src: url(data:font/woff2;base64,AA==) }</style></head>
    <body><img src="data:image/png;base64,AA==" alt="on"><a href="https://example.com/?only=1&once=2">link</a>
    <svg><text>&#8364; 5 &amp; more</text></svg><p>one, two: description</p></body></html>`,
}

t.test('what could need script', async (t) => {
  for (const [what, html] of Object.entries(scripted)) t.equal(needsScript(html), true, what)
})

t.test('what needs none', async (t) => {
  for (const [what, html] of Object.entries(plain)) t.equal(needsScript(html), false, what)
})

t.test('frames', async (t) => {
  t.equal(hasFrames('<p>x</p><IFRAME src=x>'), true)
  t.equal(hasFrames('<p>frame</p>'), false)
})

t.test('what holds for the next document', async (t) => {
  const kept = ['<meta name=viewport content="width=1">', '<META charset=utf-8 name=color-scheme content=dark>']
  kept.push('<meta charset=utf-8><meta http-equiv=Content-Security-Policy content="img-src *">', '<input autofocus>')
  for (const html of kept) t.equal(stains(html), true, html)
  for (const html of ['', '<meta charset=utf-8>', `<meta charset="UTF-8"/><meta charset='x'>`])
    t.equal(stains(html), false, html)
})

t.test('large documents take time in proportion', async (t) => {
  for (const part of [' on', '<a', '&#', ' onx ', 'script', '<meta ', 's c r i p t ']) {
    const html = part.repeat(1_000_000)
    t.equal(needsScript(html), false, part)
    t.equal(stains(html), part.includes('meta'))
  }
})
