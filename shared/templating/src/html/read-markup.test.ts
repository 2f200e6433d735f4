import t from 'tap'
import { randomNumbers } from '../../../../bench/documents/random.ts'
import { type Seen, seenByParse5, shownTag, withLineFeeds } from '../../../../test/support/seen-by-parse5.ts'
import { readMarkup } from './read-markup.ts'

function seenByUs(html: string): Seen & { clear: boolean } {
  const tags = new Set<string>()
  const styles = new Set<string>()
  const clear = readMarkup(html, {
    startTag: ({ name, attributes }) => tags.add(shownTag(name, attributes)),
    style: (css) => styles.add(withLineFeeds(css)),
  })
  return { tags, styles, clear }
}

const missing = (judge: Set<string>, ours: Set<string>) => [...judge].filter((seen) => !ours.has(seen))

/** Elements that parse5 sees and this reader does not. */
function unseen(html: string): string[] {
  const ours = seenByUs(html)
  if (!ours.clear) return []
  return [true, false].flatMap((scriptingEnabled) => {
    const judge = seenByParse5(html, { scriptingEnabled })
    return [...missing(judge.tags, ours.tags), ...missing(judge.styles, ours.styles)]
  })
}

const tricky = [
  '<p>a<b>c',
  '<IMG SRC=a Alt=x>',
  '<a/b/c=d/e>',
  '<a b = c d="e"f=\'g\'>',
  '<a =b ==c d=>x',
  '<a b=c/>',
  '<a b=/>',
  '<a b="c" b="d">',
  '<a b',
  '<a b="c',
  '<',
  '</',
  '<!',
  '<?php echo "<p>" ?>',
  '</ p><p>',
  '</><p>',
  '</p a=b "c>d">',
  '<1><p>',
  'a < b > c <p>',
  '<!-- <p> --><b>',
  '<!--><b>',
  '<!---><b>',
  '<!----><b>',
  '<!--!><b>--><i>',
  '<!----!><b>',
  '<!-- --!><b>',
  '<!-- -- ><b>--><i>',
  '<!-- <!-- --><b>-->',
  '<!--- --->-<b>',
  '<!doctype html "><p>"><b>',
  '<![CDATA[<p>]]><b>',
  '<svg><![CDATA[<p>]]><b></svg>',
  '<svg><![CDATA[ a > <p> ]]></svg><b>',
  '<style><p></style><b>',
  '<style></styles></style ><b>',
  '<STYLE></style/><b>',
  '<title><p></title><b>',
  '<textarea><p></textarea><b>',
  '<xmp><p></xmp><b>',
  '<iframe><p></iframe><b>',
  '<noembed><p></noembed><b>',
  '<noframes><p></noframes><b>',
  '<noscript><p></noscript><b>',
  '<noscript><style><p></noscript></style><b>',
  '<noscript><!-- </noscript><b> --><i>',
  '<noscript><p title="</noscript><b>"><i>',
  '<plaintext><p>',
  '<script><p></script><b>',
  '<script><!-- <script> </script> <p> --></script><b>',
  '<script><!-- <script> </script> </script><b>',
  '<script><!-- </script><b>',
  '<script><!--><script></script><b>',
  '<script><!-- <scripty> </script><b>',
  '<script></script',
  '<svg><style><p></style><b>',
  '<svg><style>a{}</style></svg><style><p></style>',
  '<svg><style><![CDATA[a > b {}]]></style></svg><b>',
  '<svg><style>a &gt; b {}</style></svg><b>',
  '<svg><style>@im<!-- -->port "x"</style></svg><b>',
  '<svg><title><p></title><b>',
  '<svg><title>x</title></svg><style><b></style>',
  '<svg><foreignObject></svg><style><b></style></foreignObject><style><i></style>',
  '<svg><desc><p></svg></desc><style><b></style>',
  '<svg><p><style><b></style>',
  '<svg/><style><b></style>',
  '<svg/ ><style><b></style>',
  '<svg/a><style><b></style>',
  '<svg><foreignObject><b></svg></b></foreignObject><style><i></style>',
  '<select><template></select></template><style><b></style>',
  '<svg><style><![CDATA[<![CDATA[ &#106; ]]>&#106;</style>',
  '<svg><foreignObject><title><textarea><img alt="</title><b>"></textarea>',
  '<svg><desc></svg><style><b></style>',
  '<svg><desc></p><style><b></style></desc></svg>',
  '<math><mi>x</mi><style><b></style></math>',
  '<math><mtext><style><b></style></mtext></math>',
  '<math><annotation-xml encoding="text/html"><style><b></style></annotation-xml></math>',
  '<svg><a title="<style>"></a></svg><b>',
  '<svg><style><a title="</style><b>"></svg><i>',
  '<select><style><b></style></select><style><i></style>',
  '<select><svg><style><b></style></svg></select>',
  '<frameset><style><b></style></frameset>',
  '<template><col><style><b></style></template>',
  '<table><colgroup><style><b></style></table>',
  '<svg><![CDATA[ > </svg> ]]><![CDATA[ > <style> ]]></svg><b>',
  '<svg><style>x]]>&#117;rl(a)</style>',
  '<a b="&amp;&lt;&#106;&#x6a;&#x000000000063;&Tab;&colon;&notit;&not=;&copy">',
  '<a b=&quot;c d=&#0000106&#58>',
  '<a b="&#0;&#xd800;&#x110000;&#x80;&nosuch;&;&#;&#x;">',
  '<a\nb\f=\tc\r\nd>',
]

t.test('tricky markup is seen as parse5 sees it', async (t) => {
  for (const html of tricky) t.same(unseen(html), [], html)
})

t.test('no tag is seen where parse5 sees text', async (t) => {
  for (const html of tricky.filter((html) => !/svg|math|select|frameset|template|noscript/.test(html))) {
    const ours = seenByUs(html)
    t.equal(ours.clear, true, html)
    t.same(missing(ours.tags, seenByParse5(html, { scriptingEnabled: true }).tags), [], html)
  }
})

t.test('markup that can be read in two ways is clear where both agree', async (t) => {
  const clear = [
    '<svg/><style>/* <b> */</style>',
    '<noscript><style>p{}</style><img src=a></noscript>',
    '<svg><title>Chart</title><style>a{}</style></svg><textarea>x</textarea>',
    '<svg><style><![CDATA[a > b {}]]></style><path/></svg>',
    '<math><mi>x</mi><mo>=</mo></math><style>a > b {}</style>',
  ]
  for (const html of clear) t.equal(seenByUs(html).clear, true, html)
})

t.test('markup that can be read in two ways is unclear where they do not agree', async (t) => {
  const unclear = [
    '<noscript><!-- </noscript><b> --><i>',
    '<svg><style><a title="</style><b>"></svg><i>',
    '<svg><style>@im<!-- -->port "x"</style></svg>',
  ]
  for (const html of unclear) t.equal(seenByUs(html).clear, false, html)
})

const plainPieces = [
  ...[
    '<p>',
    '</p>',
    '<b x=1>',
    '<img src="a',
    '"',
    "'",
    '<a href=',
    'javascript:1',
    '>',
    '<',
    '</',
    '/',
    '/>',
    '=',
    ' ',
  ],
  ...[
    '\n',
    '\t',
    '\f',
    '\r\n',
    'a',
    'b=c',
    ' onload=x',
    '&amp;',
    '&#106;',
    '&Tab',
    '&lt;i>',
    '!',
    '-',
    '--',
    '-->',
    '--!>',
  ],
  ...[
    '<!--',
    '<!-->',
    '<!',
    '<?',
    '<![CDATA[',
    ']]>',
    '<!doctype html>',
    '<style>',
    '</style>',
    '<script>',
    '</script>',
  ],
  ...[
    '<title>',
    '</title>',
    '<textarea>',
    '</textarea>',
    '<xmp>',
    '</xmp>',
    '<iframe>',
    '</iframe>',
    '<table>',
    '<td>',
  ],
  ...['@import "x";', '</table>', '<div style="', '<br/>', '<noembed>', '</noembed>', '<STYLE ', '</Style', '<script '],
]
const doubtfulPieces = [
  ...[
    '<svg>',
    '</svg>',
    '<svg/>',
    '<math>',
    '</math>',
    '<mi>',
    '</mi>',
    '<foreignObject>',
    '</foreignObject>',
    '<desc>',
  ],
  ...[
    '</desc>',
    '<select>',
    '</select>',
    '<option>',
    '<noscript>',
    '</noscript>',
    '<template>',
    '</template>',
    '<col>',
  ],
  ...['<frameset>', '</frameset>', '<noframes>', '</noframes>', '<plaintext>', '<annotation-xml encoding=text/html>'],
  ...['<body>', '</body>', '<head>', '</head>', '<font color=red>', '<path/>', '<style/>', '<title/>', '<script/>'],
]

function randomMarkup(pieces: readonly string[], random: () => number): string {
  const length = 1 + Math.floor(random() * 30)
  return Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('')
}

t.test('random markup is seen as parse5 sees it', async (t) => {
  const random = randomNumbers(1)
  for (let count = 0; count < 5_000; count++) {
    const html = randomMarkup(plainPieces, random)
    const [ours, judge] = [seenByUs(html), seenByParse5(html, { scriptingEnabled: true })]
    if (!ours.clear || missing(judge.tags, ours.tags).length > 0 || missing(ours.tags, judge.tags).length > 0) {
      t.fail(html)
    }
  }
})

t.test('in random markup with SVG, MathML and noscript nothing is missed', async (t) => {
  const random = randomNumbers(2)
  let clear = 0
  for (let count = 0; count < 20_000; count++) {
    const html = randomMarkup([...plainPieces, ...doubtfulPieces], random)
    if (seenByUs(html).clear) clear++
    const missed = unseen(html)
    if (missed.length > 0) t.fail(html, { missed })
  }
  t.ok(clear > 10_000, `${clear} of them are clear`)
})
