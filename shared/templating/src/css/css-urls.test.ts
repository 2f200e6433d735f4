import t from 'tap'
import { cssUrls } from './css-urls.ts'

const found = (css: string) => cssUrls(css).map(({ value }) => value)

t.test('every URL of a style sheet is found, with its escapes resolved', async (t) => {
  const cases: Record<string, string[]> = {
    'a{background:url(logo.svg)}': ['logo.svg'],
    'a{background:url( "logo.svg" )}': ['logo.svg'],
    "a{background:URL('lo\\67 o.svg')}": ['logo.svg'],
    '@font-face{src:url(a.woff2)format("woff2"),url(b.ttf) format("truetype")}': ['a.woff2', 'b.ttf'],
    '@import "a.css" layer(x);@import url(b.css) print;@import/* */\'c.css\';': ['a.css', 'b.css', 'c.css'],
    'a{background:image-set("a.png" 1x,url(b.png) 2x,linear-gradient(red,blue) 3x,"c.png" type("image/png"))}': [
      'a.png',
      'b.png',
      'c.png',
    ],
    'a{content:src("a.png")}': ['a.png'],
    'a{--x:url(asset:a.png);background:var(--x)}': ['asset:a.png'],
    'a{background:url(a.png': ['a.png'],
  }
  for (const [css, urls] of Object.entries(cases)) t.strictSame(found(css), urls, css)
})

t.test('other strings, comments and namespaces are not URLs', async (t) => {
  for (const css of [
    'a{content:"url(a.png)"}',
    '/* url(a.png) */',
    '@namespace svg "http://www.w3.org/2000/svg";',
    '@namespace url(http://www.w3.org/1999/xhtml);',
    'a{font-family:"asset:x"}@import;b{content:"x"}',
    '@import layer(x) "late.css";',
    'a{background:format("a.png")}',
  ]) {
    t.strictSame(found(css), [], css)
  }
})

t.test('the place of a URL is that of its text', async (t) => {
  const css = '@import "a.css";p{background:url( b.png )}'
  t.strictSame(
    cssUrls(css).map(({ start, end }) => css.slice(start, end)),
    ['a.css', 'b.png '],
  )
})
