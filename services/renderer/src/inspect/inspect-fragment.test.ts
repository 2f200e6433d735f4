import t from 'tap'
import { inspectFragment } from './inspect-document.ts'

t.test('a fragment with a script', async (t) => {
  for (const html of ['<script>1</script>', '<p onclick=1>', '<a href=javascript:1>']) {
    t.equal(inspectFragment(html).script, true, html)
  }
  for (const html of ['', '<p>onclick=1</p>', '<span class=pageNumber></span>']) {
    t.equal(inspectFragment(html).script, false, html)
  }
})

t.test('a fragment that loads styles', async (t) => {
  for (const html of ['<style>@import "a.css"</style>', '<style>@font-face {}</style>', '<LINK rel=stylesheet>']) {
    t.equal(inspectFragment(html).loadsStyles, true, html)
  }
  for (const html of ['', '<style>p { color: red }</style>', '<p>@import @font-face &lt;link</p>', '<!-- <link> -->']) {
    t.equal(inspectFragment(html).loadsStyles, false, html)
  }
})

t.test('a fragment that sets its own inset', async (t) => {
  for (const css of ['padding: 0', 'PADDING-LEFT : 1cm', 'color: red; margin-inline: 1cm', 'm\\61rgin/**/:0']) {
    t.equal(inspectFragment(`<div style="${css}">x</div>`).setsInset, true, css)
    t.equal(inspectFragment(`<style>div { ${css} }</style>`).setsInset, true, css)
  }
  const others = ['<p>padding: 0</p>', '<p title="margin: 0">', '<style>/* margin: 0 */ .margin { color: red }</style>']
  for (const html of ['', ...others, '<p style="content: \'padding: 0\'">', '<p style="--margin: 0">']) {
    t.equal(inspectFragment(html).setsInset, false, html)
  }
})
