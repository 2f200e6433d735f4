import type { JsonObject } from '@platen/foundation/json/json.ts'
import t from 'tap'
import { planImport } from './plan-import.ts'
import { type Entity, JsreportExport } from './read-export.ts'
import { Remarks } from './report.ts'

const entity = (set: string, path: string, fields: JsonObject): Entity => {
  const at = path.lastIndexOf('/')
  return { set, shortid: `${set}-${path}`, folder: path.slice(0, Math.max(0, at)), name: path.slice(at + 1), fields }
}
const template = (path: string, content: string, more: JsonObject = {}) =>
  entity('templates', path, { recipe: 'chrome-pdf', engine: 'handlebars', content, ...more })
const asset = (path: string, content: string, more: JsonObject = {}) =>
  entity('assets', path, { content: Buffer.from(content).toString('base64'), ...more })

/** The HTML of the first template, and what was remarked. */
function plan(...entities: Entity[]) {
  const remarks = new Remarks()
  const { assets, partials, templates } = planImport(new JsreportExport(entities), 'js', remarks)
  const left = remarks.allLeft.map(({ entity, reason }) => `${entity}: ${reason}`)
  const named = Object.fromEntries(partials.map(({ name, html }) => [name, html]))
  return { html: templates[0]?.content.html, content: templates[0]?.content, assets, partials: named, left, remarks }
}

t.test('assets become URLs, elements or partials, by the way in which they are used', async (t) => {
  const files = [
    asset('brand/a.css', 'p { color: red }'),
    asset('brand/b.css', 'p { color: {{colour}} }'),
    asset('logo 1.png', 'x'),
    asset('run.js', 'go()'),
    asset('terms.txt', 'Pay {{amount}}'),
  ]
  for (const [source, translated] of [
    ['<style>{#asset /brand/a.css}</style>', '<link rel="stylesheet" href="asset:js/brand/a.css">'],
    ['<style> {{{asset "brand/a.css"}}} </style>', '<link rel="stylesheet" href="asset:js/brand/a.css">'],
    ['<style>{#asset brand/b.css}</style>', '<style>{{> brand-b-css}}</style>'],
    ['<script>{#asset run.js}</script>', '<script src="asset:js/run.js"></script>'],
    ['<img src="{#asset logo 1.png @encoding=dataURI}">', '<img src="asset:js/logo-1.png">'],
    [`<img src="{{asset 'logo 1.png' 'dataURI'}}">`, '<img src="asset:js/logo-1.png">'],
    ['<img src="data:image/png;base64,{#asset logo 1.png @encoding=base64}">', '<img src="asset:js/logo-1.png">'],
    ['<a href="{#asset logo 1.png @encoding=link}">', '<a href="asset:js/logo-1.png">'],
    ['<img src="{{asset customer.logo "dataURI"}}">', '<img src="asset:js/{{customer.logo}}">'],
    ['<p>{#asset terms.txt}', '<p>{{> terms-txt}}'],
  ] as const) {
    const planned = plan(template('One', source), ...files)
    t.equal(planned.html, translated)
    const others = planned.left.filter((line) => !line.startsWith('assets/terms.txt'))
    t.same(others, [])
  }
  t.same(
    plan(template('One', '{#asset logo 1.png @encoding=base64}'), ...files).left[0],
    'templates/One: the asset assets/logo 1.png is used as base64',
  )
  t.match(plan(template('One', '{#asset gone.css}')).left, ['templates/One: there is no asset gone.css'])
})

t.test('child templates and components become partials with their context', async (t) => {
  const child = template('parts/child', '{#child inner}{{a}}', { recipe: 'html' })
  const inner = template('parts/inner', 'inner', { recipe: 'html' })
  const row = entity('components', 'row', { engine: 'handlebars', content: '<td>{{n}}' })
  const planned = plan(
    template(
      'One',
      '{#child parts/child @data.a=1}{{#each list}}{#child /parts/child @data.a={{x}}}{{component "row" n=1}}{{/each}}',
    ),
    ...[child, inner, row],
  )
  t.equal(planned.html, '{{> parts-child a="1"}}{{#each list}}{{> parts-child @root a=x}}{{> row n=1}}{{/each}}')
  t.same(Object.keys(planned.partials), ['parts-inner', 'parts-child', 'row'], 'each after those that it calls')
  t.same(planned.left, [])
  t.match(plan(template('One', '{#child c @data.o$={{x}}}'), template('c', '', { recipe: 'html' })).left, [
    /parameter @data\.o/,
  ])
  t.match(plan(template('One', '{{component name}}')).left, [/the data say which component/])
})

t.test('helpers become own helpers, if they are called', async (t) => {
  const helpers = `
const rate = 19
function gross (net) { function inner () {} ; return net * rate }
function unused () { return 1 }
async function slow () {}
function block (options) { return options.fn(this) }
function sum (list) { return list.length }
`
  const planned = plan(template('One', '{{gross n}}{{slow 1}}{{#block}}{{/block}}{{sum items}}{{inner}}', { helpers }))
  t.match(planned.content?.helpers, /function unused[\s\S]*\nexport \{ gross \}\n$/)
  t.same(planned.left, [
    'templates/One: the helper slow is asynchronous',
    'templates/One: the helper block is of a block',
    'templates/One: the helper sum has the name of one of Platen, which is called',
  ])
  t.equal(plan(template('One', '<p>', { helpers })).content?.helpers, undefined)
  const logging = "function total (items) { console.log('it sees this'); /* this */ return items.length }"
  const logged = plan(template('One', '{{total items}}', { helpers: logging }))
  t.match(logged.content?.helpers, /^const console = .*\nfunction total .*\n\nexport \{ total \}\n$/)
  t.same(logged.left, [])
  const shared = asset('shared.js', 'function gross () { return 1 }\nfunction net () { return 2 }', {
    sharedHelpersScope: 'global',
  })
  const both = plan(template('One', '{{gross n}}{{net n}}', { helpers }), shared)
  t.match(both.content?.helpers, /^export const \{ net \}[\s\S]*export const \{ gross \}/)
})

t.test('helpers that need modules are left, wherever their script loads them', async (t) => {
  const planOf = (helpers: string) => plan(template('One', '{{gross n}}{{later day}}', { helpers }))
  const gross = 'function gross(n) { const text = "{}"; return n * 1.19 }'
  const inside = planOf(
    `${gross}\nfunction parsed(at) { return require('moment')(at) }\nfunction later(at) { return parsed(at) }`,
  )
  t.match(inside.content?.helpers, /\nexport \{ gross \}\n$/)
  t.strictSame(inside.left, ['templates/One: the helper later loads a module'])
  const tops = ["const moment = require('moment')", "const libraries = { moment: require ('moment') }"]
  for (const top of tops) {
    for (const helpers of [`${top}\n${gross}`, `${gross}\n${top}`]) {
      const planned = planOf(helpers)
      t.equal(planned.content?.helpers, undefined, helpers)
      t.strictSame(planned.left, ['templates/One: the helper gross is in a script that loads a module'])
    }
  }
  const named = planOf(`// const moment = require('moment')\nconst text = "require('x')"\n${gross}`)
  t.match(named.content?.helpers, /export \{ gross \}/)
  t.strictSame(named.left, [])
})

t.test('options of Chrome and pdf-utils become options, with the defaults of jsreport', async (t) => {
  const { content, left, remarks } = plan(
    template('One', '<p>', {
      chrome: {
        width: '10cm',
        marginTop: '1in',
        marginLeft: '96',
        landscape: true,
        waitForJS: true,
        mediaType: 'screen',
        pageRanges: '1-2',
      },
      pdfMeta: { title: 'T', creator: 'C' },
      pdfAccessibility: { enabled: true },
      pdfPassword: { password: 'secret', printing: 'highResolution' },
      pdfOperations: [{ type: 'append', templateShortid: 'templates-two' }],
    }),
    template('two', ''),
  )
  t.same(content?.options, {
    format: 'Letter',
    width: '100mm',
    landscape: true,
    prefer_css_page_size: false,
    page_ranges: '1-2',
    media: 'screen',
    margin: { top: 25.4, bottom: 0, left: 25.4, right: 0 },
    wait_for: { expression: 'window.JSREPORT_READY_TO_START === true' },
    document_info: { title: 'T' },
    tagged: true,
    output: {
      metadata: { creator: 'C' },
      protect: {
        permissions: {
          print: true,
          modify: false,
          extract: false,
          annotate: false,
          fill_forms: false,
          assemble: false,
        },
      },
    },
  })
  t.match(left, [/append of templates\/two/, /pdfPassword/])
  t.same(remarks.allChanged, [])
})

t.test('a template of another engine or recipe, and what is of no template, is left by its name', async (t) => {
  const { html, left } = plan(
    template('Sheet', '', { recipe: 'xlsx' }),
    template('Old', '', { engine: 'ejs' }),
    entity('scripts', 'load', {}),
    entity('data', 'spare', { dataJson: '{}' }),
    entity('users', 'admin', {}),
    asset('linked.css', '', { link: 'styles.css' }),
    asset('book.xlsx', ''),
  )
  t.equal(html, undefined)
  t.match(left, [
    /^templates\/Sheet: the recipe xlsx/,
    /^templates\/Old: the engine ejs/,
    /^scripts\/load: /,
    /^data\/spare: /,
    /^users\/admin: Platen has no users/,
    /^assets\/linked\.css: its content is a file of the server: styles\.css/,
    /^assets\/book\.xlsx: a file of this type/,
  ])
})

t.test('a template without an engine prints mustaches as text', async (t) => {
  t.equal(plan(template('One', '<p>{{a}}', { engine: 'none' })).html, '<p>\\{{a}}')
})
