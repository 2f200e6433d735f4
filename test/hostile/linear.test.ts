import { parsePageRanges } from '@platen/domain/document/page-ranges.ts'
import { slugify } from '@platen/domain/template/slugify.ts'
import { lengthMm } from '@platen/foundation/css-length.ts'
import { scan } from '@platen/templating/handlebars/scan.ts'
import t from 'tap'
import { isSvg } from '../../services/gateway/src/assets/asset-type.ts'
import { sheetReferences } from '../../services/gateway/src/assets/content-references.ts'
import { parseByteRange } from '../../services/gateway/src/files/send-file.ts'
import { countValues } from '../../services/gateway/src/http/bodies/count-values.ts'
import { structureOf } from '../../services/gateway/src/http/bodies/json-structure.ts'
import { checkNames } from '../../services/gateway/src/http/bodies/repeated-names.ts'
import { isNoneMatch, versionToMatch } from '../../services/gateway/src/http/headers/entity-tags.ts'
import { parsePrefer, wantsFile } from '../../services/gateway/src/http/headers/preferences.ts'
import { retryAfterMs } from '../../services/notifier/src/webhook/retry-after.ts'
import { endToEnd } from '../../services/renderer/src/egress/fetch-plain.ts'
import { readAssetUrls, readSheetUrls } from '../../services/renderer/src/inspect/asset-urls.ts'
import { inspectDocument, inspectFragment } from '../../services/renderer/src/inspect/inspect-document.ts'
import { growth, maxGrowth } from '../support/growth.ts'

// Every scanner of a caller's text takes time linear to its length, for any text.
t.setTimeout(600_000)

interface Reader {
  read(text: string): void
  /** Beginnings of the text, tried one by one. */
  openings?: readonly string[]
  /** Pieces of its grammar. */
  literals: readonly string[]
}

/** One of each class of characters. */
const characters = [...'aZ0 \t\n\0.,;:-"\'()\\\u20ac']

const words = (text: string) => text.split(' ')

/** Text that is refused is read as far. */
function attempt(read: () => unknown): void {
  try {
    read()
  } catch {
    // A name is repeated, or is no JSON.
  }
}

const readers: Record<string, Reader> = {
  'the tags of a document': {
    read: (html) => inspectDocument(html, { javascript: 'auto' }),
    openings: ['', '<p ', '<p a="', '<!--', '<title>', '<script><!--', '<svg>', '<noscript>', '<svg><style>'],
    literals: [
      ...words('< </ > / = <p <p> </p> & &# &#x &amp &lt; <!-- --> --!> <! <? <![CDATA[ ]]> refresh <meta'),
      ...words(
        '<svg> </svg> <desc> <style> </style> <title> </title> <script> </script <noscript> </noscript> <select>',
      ),
      ...['<p ', '<meta http-equiv=', ' onclick='],
    ],
  },
  'the attributes of a document': {
    read: (html) => inspectDocument(html, { javascript: 'auto' }),
    openings: ['<a href="', '<img srcset="', '<p style="', '<iframe src="', '<meta http-equiv=', '<object data='],
    literals: words('javascript: data: text/html &Tab; &#x00 1x 100w / # ? url( @import'),
  },
  'the styles of a document': {
    read: (css) => inspectDocument(`<style>${css}</style>`, { javascript: 'auto' }),
    openings: ['', '@page {', '@media ', 'p { height: ', '@import ', 'p { background: image-set(', 'url('],
    literals: [
      ...words('/* */ / * url( image-set( @ @import @page @media { } ! # % + 1 1e vh margin: size: <!-- --> -- \\6'),
      '\\\n',
    ],
  },
  'the assets of a document': {
    read: (html) => readAssetUrls(`<img src=asset:a>${html}`),
    openings: [
      '',
      '<img src="asset:',
      '<img srcset="asset:a ',
      '<style>@import "asset:',
      '<iframe srcdoc="',
      '<svg><style>',
    ],
    literals: words('asset: asset:a, url(asset:b) url( &quot; <img src=asset:c> <style> </style> # ? % <![CDATA[ ]]>'),
  },
  'a style sheet that is an asset': {
    read: (css) => [sheetReferences(css), readSheetUrls(css, 'a/b.css')],
    openings: ['', '@import "', 'url(', 'p{a:image-set('],
    literals: words('asset: a.png url(a) url( "b" , ./ # ? { } /* */ \\6'),
  },
  'the beginning of an SVG': {
    read: (svg) => isSvg(Buffer.from(svg)),
    openings: ['', '<?', '<!--', '<!DOCTYPE '],
    literals: words('<? ?> <!-- --> <!DOCTYPE [ ]> > <svg'),
  },
  'a header': {
    read: inspectFragment,
    openings: ['', '<p style="'],
    literals: words('margin- padding margin: @import <link <style> { }'),
  },
  'the mustaches of a template': {
    read: scan,
    openings: ['', '{{', '{{!', '{{!--', '{{{{', '{{"', '{{['],
    literals: words('{ {{ {{{{ } }} }}}} {{# {{/ {{^ ~ ! -- {{!-- --}} [ ] /'),
  },
  'the values of JSON': {
    read: countValues,
    openings: ['', '["', '{"', '{"a":{"b":['],
    literals: words('[ ] { } "", [], "": "a": "a" : "a\\" \\\\ 1,'),
  },
  'the structure of JSON': {
    read: (json) => structureOf(json, { depth: 64, values: 250_000, fields: 250_000 }),
    openings: ['', '["', '{"'],
    literals: words('[ ] { } "", [], "": "a": \\" \\\\ true'),
  },
  'the names of JSON': {
    // The value has fewer names than counted, so that the text is searched.
    read: (json) => attempt(() => checkNames(json, { objects: 1, fields: 1 }, null)),
    openings: ['', '{"', '{"a":1,'],
    literals: words('[ ] { } "", [], "": "a": "\\u0061": "a" \\" \\\\ 1,'),
  },
  'page ranges': { read: parsePageRanges, openings: ['', '1'], literals: words('1- 1-2, -1 9') },
  'a length': { read: lengthMm, openings: ['', '1.'], literals: words('1e mm cm px 9 1mm') },
  'a range of bytes': {
    read: (header) => parseByteRange(header, 1_000),
    openings: ['', 'bytes='],
    literals: words('bytes= 1- ='),
  },
  'the types that a client accepts': {
    read: (accept) => wantsFile(accept, 'application/pdf'),
    openings: ['', 'application/pdf', 'application/pdf;q=', 'application/json;'],
    literals: words('application/pdf / * q = ;q= */*,'),
  },
  Prefer: { read: parsePrefer, openings: ['', 'wait="'], literals: words('wait= respond-async ; = " ="') },
  'If-Match': {
    read: (header) => versionToMatch(header, 1),
    openings: ['', '"', 'W/'],
    literals: words('W/ "1" "1", *'),
  },
  'If-None-Match': {
    read: (header) => isNoneMatch(header, 1),
    openings: ['', '"', 'W/'],
    literals: words('W/ "1" "1", *'),
  },
  Connection: { read: (connection) => endToEnd({ connection, te: '' }), literals: ['te', ' ,', ', '] },
  'Retry-After': {
    read: (header) => retryAfterMs(header, 0),
    openings: ['', 'Mon, '],
    literals: words('Mon Jan 12: + 2026'),
  },
  'the name of a template': { read: slugify, literals: ['\u00e9', '\u0301', '\u2460', 'a-', 'A ', '\ufdfa'] },
}

// The number of repetitions is a multiple of this, so that short and long texts end in the same state. Otherwise a run of "*" and
// "/" ends inside a comment for some lengths only, and what follows is skipped in the short text and parsed in the long one.
const period = 12

const filled = (opening: string, pattern: string, length: number) =>
  opening + pattern.repeat(Math.ceil(length / pattern.length / period) * period)

type Family = [name: string, textOf: (length: number) => string]

/** Runs of each literal, two literals in turn, and a run of one before a run of another. */
function* familiesOf({ openings = [''], literals }: Reader): Generator<Family> {
  const all = [...new Set([...characters, ...literals])]
  for (const opening of openings) {
    for (const literal of all) yield [`${opening} ${literal}…`, (length) => filled(opening, literal, length)]
  }
  for (const first of all) {
    for (const second of all) {
      // Each character is tried alone and with each literal.
      if (first === second || !(literals.includes(first) || literals.includes(second))) continue
      yield [`${first}${second}…`, (length) => filled('', first + second, length)]
      yield [`${first}…${second}…`, (length) => filled('', first, length / 2) + filled('', second, length / 2)]
    }
  }
}

for (const [what, reader] of Object.entries(readers)) {
  t.test(`reading ${what} takes time in proportion to its length`, async (t) => {
    const slow: string[] = []
    for (const [name, textOf] of familiesOf(reader)) {
      const times = growth(reader.read, textOf)
      if (times > maxGrowth) slow.push(`${JSON.stringify(name)}: ${times.toFixed(1)} times the time of shorter texts`)
    }
    t.same(slow, [])
  })
}

t.test('the measure distinguishes quadratic from linear time', async (t) => {
  const spaces = (length: number) => `x=${' '.repeat(length)}`
  const backtracks = () => growth((text) => /\s*,/.test(text), spaces) > maxGrowth
  // Load on the machine may hide it once.
  t.ok([1, 2, 3, 4, 5].some(backtracks), 'a pattern that backtracks')
  t.ok(growth((text) => /[^ x=]/.test(text), spaces) <= maxGrowth, 'a pattern that does not')
})
