import t from 'tap'
import { mayFetch, mayLoad } from './may-load.ts'

const referring = {
  image: '<img src=a.png>',
  'a set of images': '<img srcset="a.png 2x">',
  'style sheet': '<LINK rel=stylesheet href=a.css>',
  'import of a style': '<style>@import "a.css"</style>',
  'background in a style': '<p style="background: url (a.png)">',
  'background of old': '<body background=a.png>',
  'font of its own': '<style>@font-face { font-family: a; src: url(a.woff2) }</style>',
  'image-set without url': '<p style=\'background: image-set("a.png" 1x)\'>',
  'image in svg': '<svg><image href=a.png /></svg>',
  'with a prefix': '<svg:use href="a.svg#b" />',
  filter: '<svg><filter><feImage href=a.png /></filter></svg>',
  poster: '<video poster=a.png></video>',
  'escaped in a style': '<p style="background: \\75rl(a.png)">',
  'as references': '<p style="background: &#117;rl(a.png)">',
}
const withData = {
  image: '<img src="data:image/png;base64,">',
  unquoted: '<img src=data:image/png;base64,>',
  font: '<style>@font-face { font-family: a; src: url( "data:font/woff2;base64,") }</style>',
}
const whole = {
  text: 'plain text',
  link: '<a href="https://example.com/">x</a>',
  table: '<style>td { border: 1px solid }</style><table><tr><td>It&#39;s &#x27;x&#x27; &amp; y</table>',
  drawing: `<svg viewBox="0 0 1 1"><rect fill="url(#a)" style="filter: url( '#b' )" /></svg>`,
}

t.test('what a document refers to', async (t) => {
  for (const [name, html] of Object.entries(referring)) t.same([mayLoad(html), mayFetch(html)], [true, true], name)
  for (const [name, html] of Object.entries(withData)) t.same([mayLoad(html), mayFetch(html)], [true, false], name)
  for (const [name, html] of Object.entries(whole)) t.same([mayLoad(html), mayFetch(html)], [false, false], name)
})
