import t from 'tap'
import { markupOf } from './markup.ts'

t.test('pictures and fonts are left out, whatever ends them', async (t) => {
  const data = 'data:image/png;base64,iVBORw0KGgo+/onerror=='
  for (const html of [`<img src="@">`, `<img src='@'>`, '<img src=@ alt=x>', '<img src=@>', 'url(@)']) {
    t.equal(markupOf(html.replace('@', data)), html.replace('@', 'data:image/png;base64,'), html)
  }
  t.equal(markupOf('url(data:font/woff2;charset=utf-8;base64,AAAA) b'), 'url(data:font/woff2;charset=utf-8;base64,) b')
})

t.test('all else stays', async (t) => {
  for (const html of ['<p>x', '<p title=";base64,">x', '<a/;base64,/onclick=x>', 'data:text/html,<script>']) {
    t.equal(markupOf(html), html)
  }
})
