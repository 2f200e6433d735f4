import t from 'tap'
import { type AssetText, readAssetUrls, withUrls } from './asset-urls.ts'

const rewritten = (html: string) => {
  const text: AssetText | undefined = readAssetUrls(html)
  return text && withUrls(text, ({ asset, suffix }) => `http://x/${asset}${suffix}`)
}

t.test('URLs that load something are found in every place', async (t) => {
  const cases: Record<string, string> = {
    '<img src=asset:a.png>': '<img src="http://x/a.png">',
    '<img alt=x src=" asset:a.png\n" width=1>': '<img alt=x src="http://x/a.png" width=1>',
    "<IMG SRC='asset:a.png'/>": '<IMG SRC="http://x/a.png"/>',
    '<link rel=stylesheet href="asset:b.css">': '<link rel=stylesheet href="http://x/b.css">',
    '<svg><use href="asset:i.svg#star"/><image xlink:href="asset:a.png"/></svg>':
      '<svg><use href="http://x/i.svg#star"/><image xlink:href="http://x/a.png"/></svg>',
    '<img srcset="asset:a.png 1x, /b.png 2x,asset:c.png">':
      '<img srcset="http://x/a.png 1x, /b.png 2x, http://x/c.png">',
    '<video poster="asset:a.png"></video>': '<video poster="http://x/a.png"></video>',
    '<object data="asset:a.svg"></object>': '<object data="http://x/a.svg"></object>',
    '<td background="asset:a.png">': '<td background="http://x/a.png">',
    '<p style="color:red;background:url(&quot;asset:a.png&quot;)">':
      '<p style="color:red;background:url(&quot;http://x/a.png&quot;)">',
    "<p style='background:url(asset:a.png)'>": '<p style="background:url(http://x/a.png)">',
    '<rect fill="url(asset:p.svg#g)"/>': '<rect fill="url(http://x/p.svg#g)"/>',
    '<style>@import "asset:b.css";a{background:url( asset:a.png )}</style>':
      '<style>@import "http://x/b.css";a{background:url( http://x/a.png)}</style>',
    '<svg><style><![CDATA[a{fill:url("asset:a.svg#b")}]]></style></svg>':
      '<svg><style><![CDATA[a{fill:url("http://x/a.svg#b")}]]></style></svg>',
    '<noscript><img src="asset:a.png"></noscript>': '<noscript><img src="http://x/a.png"></noscript>',
    '<iframe srcdoc="<img src=&quot;asset:a.png&quot;>&amp;lt;">':
      '<iframe srcdoc="<img src=&quot;http://x/a.png&quot;>&amp;lt;">',
    '<img src="asset:a.png?v=1#%22x y)\'">': '<img src="http://x/a.png?v=1#%22x%20y%29%27">',
  }
  for (const [html, wanted] of Object.entries(cases)) t.equal(rewritten(html), wanted, html)
})

t.test('links, text, comments, scripts and what is no name stay as they are', async (t) => {
  for (const html of [
    '<a href="asset:a.png">asset:a.png</a>',
    '<base href="asset:a.png">',
    '<!-- <img src="asset:a.png"> -->',
    '<script>new Image().src = "asset:a.png"</script>',
    '<textarea><img src="asset:a.png"></textarea>',
    '<img alt="asset:a.png" src="a.png">',
    '<img src="asset:../a.png"><img src="asset:/a.png"><img src="asset:a//b.png"><img src="asset:">',
    '<img src="asset:a%2e.png"><img src="ASSET:a.png">',
    '<style>a{content:"asset:a.png"}</style>',
    '<img src="asset:a.png',
  ]) {
    t.equal(rewritten(html), undefined, html)
  }
})

t.test('the text around is kept, byte for byte', async (t) => {
  const around = ['<!doctype html>\r\n<p title="a&amp;b">\ufeff&lt;', '<b', ' x>é</b>\0']
  t.equal(
    rewritten(`${around[0]}<img src=asset:a.png>${around[1]} style='a:url(asset:b.png)'${around[2]}`),
    `${around[0]}<img src="http://x/a.png">${around[1]} style="a:url(http://x/b.png)"${around[2]}`,
  )
})
