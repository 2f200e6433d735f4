import t from 'tap'
import type { DocumentTraits } from './document-traits.ts'
import { inspectDocument } from './inspect-document.ts'

type Sign = {
  [Name in keyof DocumentTraits]: DocumentTraits[Name] extends boolean ? Name : never
}[keyof DocumentTraits]
type Cases = Record<string, string>

const inspect = (html: string) => inspectDocument(html, { javascript: 'auto' })

/** Each case is a sentence about the document. */
function check(trait: Sign, expected: boolean, cases: Cases): void {
  t.test(`${trait} is ${expected}`, async (t) => {
    for (const [sentence, html] of Object.entries(cases)) t.equal(inspect(html)[trait], expected, sentence)
  })
}

check('script', true, {
  'it holds a script': '<p>x</p><SCRIPT>1</SCRIPT>',
  'it holds a module': '<script type=module>1</script>',
  'it holds a script that is left open': '<script>1',
  'it holds a script of SVG': '<svg><script href=x /></svg>',
  'it holds a script with a prefix': '<svg:script>1</svg:script>',
  'it holds a script in a template': '<template shadowrootmode=open><script>1</script></template>',
  'it says something to readers without scripts': '<noscript>no script</noscript>',
  'it holds a script for readers without scripts': '<noscript><p title="</noscript><script>1</script>"></noscript>',
  'an event attribute stands after a space': '<img src=x onerror=alert(1)>',
  'an event attribute stands after a slash': '<svg/onload=alert(1)>',
  'an event attribute stands after a quote': '<img src="x"onerror="1">',
  'an event attribute stands after an unquoted data URL': '<img src=x data:x;base64,/onerror=1>',
  'an event attribute stands after a data URL in another attribute': '<img alt="data:x;base64,"onerror=1>',
  'an event attribute is spread over lines': '<img src=x\n\tONERROR\n = 1>',
  'an event attribute stands after a form feed': '<img src=x\fonerror=1>',
  'an event attribute stands after many spaces': `<p http-equiv=${' '.repeat(1_000)}x onclick=1>`,
  'an event attribute stands after a greater-than sign in quotes': '<p title="a > b" onclick=1>',
  'an event is not known yet': '<p onwhatever=1>',
  'an animation has an event': '<svg><g onbegin=1></svg>',
  'a tag follows a comment that ends at once': '<!--><p onclick=1>',
  'a tag follows a comment that ends with an exclamation mark': '<!-- --!><p onclick=1>-->',
  'a tag follows a section that is a comment in HTML': '<![CDATA[ > <p onclick=1> ]]>',
  'a tag stands in the title of an SVG': '<svg><title><p onclick=1></title></svg>',
  'a tag stands in the style of an SVG': '<svg><style><p onclick=1></style></svg>',
  'a link runs a script': '<a href="javascript:alert(1)">x</a>',
  'a link runs a script in capitals': '<a href=JavaScript:1>x</a>',
  'a link runs a script with tabs and line breaks': '<a href="java\tscr\nipt:1">x</a>',
  'a link runs a script behind references': '<a href="&#106;&#x61;vascript&colon;1">x</a>',
  'a link runs a script behind overlong references': '<a href="javas&#x000000000063;ript:1">x</a>',
  'a link runs a script behind tabs as references': '<a href="java&Tab;script&#58;1">x</a>',
  'a link runs a script behind references without semicolons': '<a href="&#0000106avascript&#58alert(1)">x</a>',
  'a link runs a script behind control characters': '<a href="&#1;\u0001javascript:1">x</a>',
  'a link runs a script behind many spaces': `<a href="${' '.repeat(500)}javascript:1">x</a>`,
  'a link runs a script behind many line breaks': `<a href="j${'\n'.repeat(500)}avascript:1">x</a>`,
  'a link of SVG runs a script': '<svg><a xlink:href="javascript:1"></a></svg>',
  'a form runs a script': '<form action="javascript:1">',
  'a button runs a script': '<button formaction="javascript:1">',
  'a link runs a script of another kind': '<a href=vbscript:1>x</a>',
  'a link holds a document': '<a href="data:text/html,x">x</a>',
  'a frame shows another document': '<iframe src=x></iframe>',
  'a frame holds a document': '<iframe srcdoc="<script>1</script>"></iframe>',
  'a frame holds a document as data': '<iframe src="data:text/xml,<x/>"></iframe>',
  'a frame runs a script': '<iframe src="javascript:1"></iframe>',
  'a frame shows an SVG': '<iframe src=a.svg></iframe>',
  'a frame has a type, which browsers ignore': '<iframe src=a.html type="image/png"></iframe>',
  'an object has a sandbox, which browsers ignore': '<object data=a.html sandbox></object>',
  'an object has a src, which browsers ignore': '<object data=a.html src=a.png></object>',
  'a sandboxed frame may run scripts': '<iframe sandbox="allow-forms ALLOW-SCRIPTS" src=x></iframe>',
  'a frame set shows another document': '<frameset><frame src=x></frameset>',
  'an object shows another document': '<object data=x></object>',
  'an object holds an SVG': '<object data="data:image/svg+xml,<svg/>"></object>',
  'an embed shows another document': '<EMBED src=x>',
  'it goes elsewhere': '<meta http-equiv="refresh" content="0;url=x">',
  'it goes elsewhere behind references': '<meta http-equiv="&#114;efresh" content=0>',
  'it goes elsewhere behind spaces': `<meta http-equiv=${' '.repeat(1_000)}refresh>`,
  'a style asks for scripting': '<style>@media ( scripting: none) { p { color: red } }</style>',
  'an imported style asks for scripting': '<style>@import "a.css" (scripting)</style>',
  'a link asks for scripting': '<link rel=stylesheet href=a.css media="(scripting: enabled)">',
  'it holds a video': '<video src=a.mp4></video>',
  'it holds a canvas': '<canvas></canvas>',
})

check('script', false, {
  'it is empty': '',
  'it is text': 'plain text',
  'it is an invoice': `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Invoice</title>
    <style>@page { margin: 0 } .once { content: "on" } @font-face { src: url(data:font/woff2;base64,AA==) }</style></head>
    <body><img src="data:image/png;base64,AA==" alt="on"><a href="https://example.com/?only=1&once=2">link</a>
    <svg><text>&#8364; 5 &amp; more</text></svg><p>one, two: description</p></body></html>`,
  'a script is escaped text': '<pre>&lt;script>alert(1)&lt;/script></pre>',
  'an event attribute is escaped text': '<code>&lt;a onclick="go()"></code>',
  'an event attribute is text': '<p>set onclick=1 or onload = 2</p>',
  'an event attribute is in a value': '<p title="<a onclick=1>">',
  'an event attribute has no value': '<p once only>',
  'an event attribute stands at an end tag': '<p></p onclick=1>',
  'a script is in a comment': '<!-- <script>1</script> --><p>x',
  'noscript is in a comment for Outlook': '<!--[if mso]><noscript><xml></xml></noscript><![endif]--><p>x',
  'a frame is in a comment': '<!-- <iframe src=x></iframe> -->',
  'a tag is in the title': '<title><script>1</script></title>',
  'a tag is in a text field': '<textarea><script>1</script></textarea>',
  'a tag is in a style': '<style>/* <script> */ p::after { content: "<script>" }</style>',
  'a script is in the text of a data URL': '<img src="data:image/svg+xml,<svg><script>1</script></svg>">',
  'a script is JSON': '<script type="application/ld+json">{ "@type": "Invoice" }</script>',
  'a link leads to another document': '<a href="https://example.com/javascript:1">x</a>',
  'a link holds an image': '<a href="data:image/png;base64,">x</a>',
  'a sandboxed frame shows another document': '<iframe sandbox src=x></iframe>',
  'a frame is empty': '<iframe></iframe><iframe src=about:blank></iframe>',
  'an object shows an image': '<object data="a.svg?v=1">x</object>',
  'an object says that it shows an image': '<object data=chart type="image/svg+xml">x</object>',
  'an object holds an image': '<object data="data:image/png;base64,">x</object>',
  'an embed shows an image': '<embed src=a.PNG>',
  'a plain object': '<object></object>',
  'it holds audio': '<audio controls src="a.mp3"></audio>',
  'it moves by itself': '<marquee>x</marquee><svg><set attributeName=x to=1></svg><style>@keyframes a {}</style>',
  'a template is a shadow root': '<div><template shadowrootmode=open><b>x</b></template></div>',
  'http-equiv is text before many spaces': `http-equiv=${' '.repeat(1_000)}`,
  'scripting is a word': '<style>.scripting { color: red } @media print { .scripting {} }</style>',
})

t.test('script is false for any document where scripts are switched off', async (t) => {
  const all = '<script>1</script><iframe src=x></iframe><noscript>x</noscript><svg><style><a title="</style>">'
  for (const html of [all, '<iframe src=x>', '<p onclick=1>', '<video>']) {
    t.equal(inspectDocument(html, { javascript: 'off' }).script, false, html)
  }
})

check('frames', true, {
  'a frame': '<p>x</p><IFRAME src=x>',
  'a frame set': '<frameset><frame src=x></frameset>',
  'an object': '<object data=a.svg></object>',
  'an embed': '<embed src=x>',
  'an applet': '<applet code=x>',
  'a fenced frame': '<fencedframe></fencedframe>',
})

check('frames', false, {
  'the word': '<p>frame</p>',
  'a frame in a comment': '<!-- <iframe src=x> -->',
  'a frame in a data URL': '<img src="data:image/svg+xml,<iframe>">',
})

const referring: Cases = {
  'an image': '<img src=a.png>',
  'an image by its old name': '<image src=a.png>',
  'a set of images': '<img srcset="a.png 2x">',
  'the last of a set of images':
    '<img srcset="data:image/png;base64,AA, 1x, data:image/png,b 2x,https://example.com/a.png 3x">',
  'a style sheet': '<LINK rel=stylesheet href=a.css>',
  'a style sheet as data, which may refer to others': '<link rel=stylesheet href="data:text/css,@import%20url(//a.b)">',
  'an import': '<style>@import "a.css"</style>',
  'an import as data, which may refer to others': '<style>@import "data:text/css,x"</style>',
  'an import after a comment': '<style>/*data:x;base64,*/@import"http://example.com/a.css"</style>',
  'an import of nothing that a standard knows': '<style>@import rl(a.css)</style>',
  'an import after a string with an escaped line break': '<style>p { x: "\\74\nb" } @import \'a.css\';</style>',
  'an import with an escape': '<style>@im\\70 ort "a.css"</style>',
  'an import in a style of SVG': '<svg><style>@import url(a.css);</style></svg>',
  'an import in a section of a style of SVG': '<svg><style><![CDATA[a > b {} @import "a.css";]]></style></svg>',
  'an import in a style of SVG by a reference': '<svg><style>&#64;import "a.css";</style></svg>',
  'an import behind the opening of a comment of HTML': '<style><!--@import "a.css";--></style>',
  'an image in a style': '<p style="background: url(a.png)">',
  'an image in a style after a string': `<p style="content: '\\'('; background: url( 'a.png' )">`,
  'an image in a style after a bad string': '<style>p { content: "x\n; background: url(a.png) }</style>',
  'an image in a style after data': '<style>p { background: url(data:,\\)), url(a.png) }</style>',
  'an image in a style behind escapes': '<p style="background: \\75rl(a.png)">',
  'an image in a style behind an escape and a space': '<p style="background: u\\72 l(a.png)">',
  'an image in a style behind an escape of six digits': '<p style="background: ur\\00006c(a.png)">',
  'an image in a style behind an escape in capitals': '<p style="background: UR\\6C(a.png)">',
  'an image in a style behind a plain escape': '<style>p{background:\\url(a.png)}</style>',
  'an image in a style behind a decimal reference': '<p style="background: &#117;rl(a.png)">',
  'an image in a style behind named references': '<p style="background: url&lpar;a.png&rpar;">',
  'an image in a style behind the reference of a backslash': '<p style="background: ur&bsol;6c(a.png)">',
  'an image in a style left open': '<p style="background: url(a.png">',
  'an image after one without a density': '<img srcset="data:,a, b.png 1x">',
  'a set of images in a style': '<p style=\'background: image-set("a.png" 1x)\'>',
  'a later one of a set of images in a style': '<p style=\'background: -webkit-image-set(url("#a") 1x, "b.png" 2x)\'>',
  'a font': '<style>@font-face { font-family: a; src: url(a.woff2) }</style>',
  'a background of old': '<body background=a.png>',
  'an image of SVG': '<svg><image href=a.png /></svg>',
  'an image of SVG with a prefix': '<svg><image xlink:href=a.png /></svg>',
  'a use of another file': '<svg:use href="a.svg#b" />',
  'a use of another file within SVG': '<svg><use href="icons.svg#b" /></svg>',
  'a filter image': '<svg><filter><feImage href=a.png /></filter></svg>',
  'a filter of another file': '<svg><g filter="url(a.svg#b)"></g></svg>',
  'an image that an animation sets': '<svg><image><set attributeName=href to=a.png /></image></svg>',
  'a filter that an animation sets': '<svg><g><set attributeName=filter to="url(a.svg#b)" /></g></svg>',
  'a poster': '<video poster=a.png></video>',
  'the picture of a button': '<input type=image src=a.png>',
  'a script': '<script src=a.js></script>',
  'a frame': '<iframe src=a.html></iframe>',
  'a document in a frame': '<iframe srcdoc="<img src=a.png>"></iframe>',
  'a document as data in a frame': '<iframe src="data:text/html,<img src=a.png>"></iframe>',
  'an object': '<object data=a.svg></object>',
  'an image for readers without scripts': '<noscript><img src=a.png></noscript>',
  'an image in a template': '<template><img src=a.png></template>',
  'an image of a base': '<base href="https://example.com/"><img src="#a">',
  'an image after a script that hides a script': '<script><!--<script></script>--></script><img src=a.png>',
}
check('loads', true, referring)
check('fetches', true, referring)
check('leavesState', true, referring)

const ownData: Cases = {
  'an image': '<img src="data:image/png;base64,">',
  'an image whose URL is a space, which fails': '<img src=" ">',
  'an image without quotes': '<img src=data:image/png;base64,>',
  'an image in capitals after spaces': '<img src=" DATA:image/png;base64,">',
  'a set of images': '<img srcset="data:image/png;base64,AA 1x, data:image/png;base64,AB 2x">',
  'a font': '<style>@font-face { font-family: a; src: url( "data:font/woff2;base64,") }</style>',
  'a font of the system': '<style>@font-face { font-family: a; src: local("Arial") }</style>',
  'an image in a style': '<p style="background: url(data:image/png;base64,AA+/==)">',
  'an image in a style with an escape': '<p style="background: url(d\\61ta:image/png;base64,AA)">',
  'an object': '<object data="data:image/png;base64,AA"></object>',
  'an image in a style with an escaped parenthesis': '<p style="background: url(data:,\\)url(a.png)">',
  'a set of images in a style beside another function': `<p style='background: image-set("data:,a" 1x), x("b.png")'>`,
  'a set of images with parentheses': '<img srcset="data:,a (,b.png), data:,c 1x">',
  'a font behind an escape of six digits': '<style>@font-f\\000061ce { }</style>',
  'an image beside the picture of a style': '<style>p { background: url(data:,\\)) }</style><img src=data:,>',
}
check('loads', true, ownData)
check('fetches', false, ownData)
check('leavesState', false, ownData)

const whole: Cases = {
  text: 'plain text',
  'a link': '<a href="https://example.com/">x</a>',
  'a link that is counted': '<a href="https://example.com/" ping="https://example.com/">x</a>',
  'a form': '<form action="https://example.com/"><input src="">',
  'a table': '<style>td { border: 1px solid }</style><table><tr><td>It&#39;s &#x27;x&#x27; &amp; y</table>',
  'a drawing': `<svg viewBox="0 0 1 1"><rect fill="url(#a)" style="filter: url( '#b' )" /><use href="#c" /></svg>`,
  'a name space': '<style>@namespace svg url(http://www.w3.org/2000/svg); @namespace "x";</style>',
  'a URL in a comment of a style': '<style>/* url(a.png) @import "a.css" */ p { color: red }</style>',
  'a URL in a string': '<style>p::after { content: "url(a.png) @import" }</style>',
  'a URL in a string of two lines': '<style>p::after { content: "a\\\r\nurl(a.png)" }</style>',
  'a word that ends as url does': '<style>p { x: curl(a.png); y: url }</style>',
  'url and its parenthesis apart, which no browser takes together': '<p style="background: url (a.png)">',
  'an image in a comment': '<!-- <img src=a.png> -->',
  'an image in the title': '<title><img src=a.png></title>',
  'an image in a text field': '<textarea><img src=a.png></textarea>',
  'the attribute of an end tag': '<p></p src=a.png>',
  'a tag that the document ends in': '<p><img src="a.png"',
}
check('loads', false, whole)
check('fetches', false, whole)
check('leavesState', false, whole)

check('leavesState', true, {
  'a viewport': '<meta name=viewport content="width=1">',
  'a color scheme beside a charset': '<META charset=utf-8 name=color-scheme content=dark>',
  'a policy': '<meta charset=utf-8><meta http-equiv=Content-Security-Policy content="img-src *">',
  'a preferred set of style sheets': '<meta http-equiv=default-style content=a>',
  'a focus': '<input autofocus>',
  'a style with a title': '<style title=a>p {}</style>',
  'a style of SVG with a title': '<svg><style title=a>p {}</style></svg>',
  'a style sheet with a title': '<link rel=stylesheet title=a href="">',
})

check('leavesState', false, {
  nothing: '',
  'a charset': '<meta charset=utf-8>',
  'two charsets': `<meta charset="UTF-8"/><meta charset='x'>`,
  'a charset of old': '<meta http-equiv=Content-Type content="text/html; charset=utf-8">',
  'a base': '<base href="https://example.com/" target=_blank>',
  'a focus in text': '<p title=autofocus>autofocus</p>',
  'a title on something else': '<p title=a>x</p>',
})

check('moves', true, {
  keyframes: '<style>@keyframes x { to { opacity: 1 } }</style>',
  'keyframes with a prefix': '<style>@-webkit-keyframes x { to { opacity: 1 } }</style>',
  'keyframes behind an escape': '<style>@\\6b eyframes x { to { opacity: 1 } }</style>',
  'an entry transition': '<style>p { transition: opacity 1s; @starting-style { opacity: 0 } }</style>',
  'an animation of SVG': '<svg><rect><animate attributeName=x to=1 /></rect></svg>',
  'an animated link': '<svg><a><animate attributeName=href to=x></a></svg>',
  'a motion of SVG': '<svg><rect><animateMotion path="M0 0" /></rect></svg>',
  'a transformation of SVG': '<svg><rect><animateTransform attributeName=transform /></rect></svg>',
  'an attribute that is set': '<svg><set attributeName=x to=y></svg>',
  'an element that is taken away': '<svg><discard begin=1s /></svg>',
  'a moving text': '<marquee>x</marquee>',
  'an animation of a linked style sheet': '<link rel=stylesheet href=a.css><p style="animation: a 1s">',
  'a transition that a script begins': '<style>p { transition: left 1s }</style><script>1</script>',
})

check('moves', false, {
  'an animation without keyframes': '<style>p { animation: none }</style>',
  'a transition that nothing begins': '<style>a { transition: color 1s } a:hover { color: red }</style>',
  'the words': '<p>@keyframes animate set</p>',
})

check('viewportDependent', true, {
  'a viewport unit': '<style>p { margin-top: 50vh }</style>',
  'a small viewport unit in capitals': '<p style="width: calc(1.5e1SVW - 1px)">',
  'a dynamic viewport unit': '<p style="width: -.5dvmin">',
  'a unit of a container': '<p style="width: 5cqw">',
  'a unit behind an escape': '<p style="width: 5v\\68">',
  'a unit of an attribute': '<svg width=50vw></svg>',
  'a custom property with a unit': '<style>:root { --a: 1vmax }</style>',
  'a media query of width': '<style>@media (min-width: 100px) { p {} }</style>',
  'a media query of a range': '<style>@media (100px <= width < 200px) { p {} }</style>',
  'a media query of orientation': '<style>@media print and (orientation: portrait) { p {} }</style>',
  'a media query of ratio': '<style>@media (max-aspect-ratio: 1/1) { p {} }</style>',
  'an import with a media query': '<style>@import url("data:text/css,") (width > 1px);</style>',
  'a media attribute': '<style media="(max-height: 1px)">p {}</style>',
  'a percentage of height': '<style>p { height: 100% }</style>',
  'a calculated percentage of height': '<p style="min-height: calc(100% - 1px)">',
  'a percentage of height in an attribute': '<table height="100%">',
  'a custom property with a percentage': '<style>p { --h: 100%; height: var(--h) }</style>',
  'a height that fills what is there': '<p style="height: -webkit-fill-available">',
  'a set of images by width': '<img srcset="data:,a 100w, data:,b 200w" sizes="50px">',
  'a frame': '<iframe></iframe>',
  'a script': '<script>1</script>',
  'a linked style sheet': '<link rel="StyleSheet" href=a.css>',
})

check('viewportDependent', false, {
  'other units': '<style>p { width: 5vx; height: 10px; margin: 1em 2cm; transition: all 1s }</style>',
  'a percentage of width': '<table width="100%"><td style="width: 50%; top: 5px">',
  'a media query of something else': '<style>@media print { .width { color: red } }</style>',
  'a class named after a unit': '<style>.a50vh, #5vw { color: red }</style>',
  'a unit in a string or comment': '<style>p::after { content: "50vh" /* 50vh */ }</style>',
  'a set of images by density': '<img srcset="data:,a 1x, data:,b 2x">',
  'a viewport unit in text': '<p>50vh</p>',
})

check('linkedStyles', true, {
  'a link': '<link rel="alternate stylesheet" href=a.css>',
  'an import': '<style>@import "a.css"</style>',
})
check('linkedStyles', false, { 'a link to something else': '<link rel=icon href=a.png><style>p {}</style>' })

check('rareCharacters', true, {
  'a snowman': '<p>\u2603</p>',
  'a snowman by a reference': '<p>&#9731;</p>',
  'a snowman by an overlong reference': '<p>&#x00000000002603;</p>',
  'a named character': '<p>&check;</p>',
  'a character without a semicolon': '<p>&#9731 x</p>',
  'a character in an attribute': '<input value="&#9731;">',
  'a character in a style': '<style>p::after { content: "\\2603" }</style>',
  Chinese: '<p>\u4e2d\u6587</p>',
  'a character beyond 16 bits': '<p>\u{1f600}</p>',
})
check('rareCharacters', false, {
  'ordinary characters': '<p>\u00e9\u20ac\u2026\u201cx\u201d &eacute;&euro;&hellip;&nbsp;&#233;&amp;#9731;</p>',
  'an ordinary character in a style': '<style>p::after { content: "\\20ac \\201c" }</style>',
})

t.test('markup that can be read in two ways has every trait', async (t) => {
  const { pageRules, baseHref, lang, author, pageNumbers, ...signs } = inspect('<svg><style><a title="</style>">')
  t.same([...new Set(Object.values(signs))], [true])
})

check('manyRows', true, { 'a table with more rows than are printed at once': `<table>${'<tr><td>x'.repeat(4_001)}` })
check('manyRows', false, {
  'a table with as many': `<table>${'<tr><td>x'.repeat(4_000)}`,
  'rows in a comment': `<!-- ${'<tr><td>x'.repeat(5_000)} -->`,
})
