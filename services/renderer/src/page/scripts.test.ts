import { openTestDocuments } from '@platen/test-support/renderer/open-document.ts'
import t from 'tap'
import { type MarginMarks, rowPrefix } from './contract.ts'

const documents = await openTestDocuments()
t.teardown(() => documents[Symbol.asyncDispose]())

const anything = { rareCharacters: true, pageRules: true, brokenHeadings: true }

t.test('a document is described', async (t) => {
  const document = await documents.open(`<!doctype html><html lang=de><meta name=Author content=Ada>
    <style>@page { size: A5; margin-top: 1cm } @page :first { size: A3 } @media screen { @page { size: A4 } }</style>
    <h1>One<br>two</h1><h2>three</h2><p>漢<p hidden>字`)
  const described = { lang: 'de', author: 'Ada', description: '', brokenImages: [] }
  t.match(await document.run('describeDocument', 'whenLoaded'), { ...described, rareCharacters: '' })
  t.match(await document.run('describeInDepth', 'whenLoaded', anything), {
    ...described,
    rareCharacters: '漢',
    pageRules: { size: 'a4', 'margin-top': '1cm' },
    brokenHeadings: [['One', 'two']],
  })
})

t.test('a document whose picture has not arrived is not complete', async (t) => {
  const document = await documents.open('<p>x')
  t.ok(await document.run('describeDocument', 'whenLoaded'))
  await document.evaluate(`document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/x' })); 0`)
  const isPending = await document.evaluate('!document.images[0].complete')
  if (isPending) t.equal(await document.run('describeDocument', 'whenLoaded'), undefined)
  t.ok(await document.run('describeDocument', 'anyway'))
})

t.test('the elements that refer to URLs are found', async (t) => {
  const document =
    await documents.open(`<base href=https://a.example/b/><img src=c.png#d><svg><use href=/e.svg#f></use></svg>
    <img srcset="g.png 1x, h.png 2x"><a href=https://a.example/b/c.png></a>`)
  const urls = [
    'https://a.example/b/c.png',
    'https://a.example/e.svg',
    'https://a.example/b/h.png',
    'https://a.example/i',
  ]
  t.strictSame(await document.run('findElements', urls), {
    'https://a.example/b/c.png': '<img>',
    'https://a.example/e.svg': '<use>',
    'https://a.example/b/h.png': '<img>',
  })
})

t.test('a selector matches, has a box, or is invalid', async (t) => {
  const document = await documents.open('<body style="margin:0"><p id=a style="margin:10px;width:30px;height:5px">')
  t.equal(await document.run('matchesSelector', '#a'), true)
  t.equal(await document.run('matchesSelector', '#b'), false)
  t.equal(await document.run('matchesSelector', '##'), 'invalid')
  t.strictSame(await document.run('boxOf', '#a'), { x: 10, y: 10, width: 30, height: 5 })
  t.equal(await document.run('boxOf', '##'), undefined)
})

t.test('a contents list has the headings behind it', async (t) => {
  const document = await documents.open(
    '<h1>before</h1><nav data-toc="1-2"></nav><h1>A <b>B</b></h1><h2 id=x>C</h2><h3>deep</h3><h1 class=no-toc>no</h1><a href="#gone" data-of=gone>',
  )
  t.strictSame(await document.run('buildContents', { toc: 'data-toc', pageOf: 'data-of' }), [
    'pageNumberOf: no element has the id "gone"',
  ])
  t.equal(await document.evaluate('document.querySelector("nav").innerText.replace(/\\s+/g, " ")'), 'A B 00 C 00')
  await document.run('showPageNumbers', [
    ['section-1', '3'],
    ['x', '4'],
  ])
  t.equal(await document.evaluate('document.querySelector("nav").innerText.replace(/\\s+/g, " ")'), 'A B 3 C 4')
})

t.test('elements are for some pages of a margin', async (t) => {
  const marks: MarginMarks = {
    pages: 'data-on',
    choice: '^(not )?(first|last|odd|even|\\d+(-\\d*)?)(,|$)',
    carry: 'data-sum',
    format: 'data-format',
  }
  const document = await documents.open('<p>x')
  const height = (choice: string) => `<div><p style="margin:0;height:9px" data-on="${choice}">a</p></div>`
  t.match(await document.run('measureMargin', height('first'), 500, marks), { below: 17 })
  t.equal(await document.evaluate('document.querySelectorAll("*").length'), 4, 'nothing is left in the document')
})

t.test('places are marked at comments, broken pictures and rare characters', async (t) => {
  const document = await documents.open(
    '<p id=here>a<!--platen-warning 7--></p><img alt="" src="data:image/png;base64,AAAA" style="width:9px;height:9px"><b>漢</b>',
  )
  t.strictSame(await document.run('markPlaces'), [
    ['place 7', 'here'],
    ['character 漢', 'platen-place-1'],
    ['url data:image/png;base64,AAAA', 'platen-place-2'],
  ])
})

t.test('amounts have destinations until they are found', async (t) => {
  const document = await documents.open(
    '<table><tr data-sum=" 1.5 "><td id=a>x<tr data-sum=2><td>y</table><p hidden data-sum=3>',
  )
  t.equal(await document.run('markAmounts', 'data-sum', 1), 2)
  t.strictSame(await document.run('markAmounts', 'data-sum', 2), ['1.5', '2'])
  t.equal(await document.evaluate('document.querySelectorAll("[id^=platen-amount-]").length'), 3)
  await document.run('unmarkAmounts')
  t.strictSame(await document.evaluate('[...document.querySelectorAll("[id]")].map(({ id }) => id)'), ['a'])
})

t.test('inputs are described and covered by links', async (t) => {
  const limits = { inputs: 3, options: 2, valueChars: 10, chars: 100 }
  const html =
    '<form><label>Name <input name=n value=Ada maxlength=9></label><fieldset><legend>Fee</legend><input type=radio name=f checked value=a></fieldset></form>'
  const document = await documents.open(html)
  const marked = await document.run('markInputs', 'https://x.invalid/', limits)
  t.match(marked, {
    fields: [
      { type: 'text', name: 'n', label: 'Name', value: 'Ada', text: { maxLength: 9, align: 'left' } },
      { type: 'radio', name: 'f', value: 'a', button: { isOn: true, group: 1, groupLabel: 'Fee' } },
    ],
  })
  t.strictSame(await document.evaluate('[...document.links].map(({ href }) => href)'), [
    'https://x.invalid/0',
    'https://x.invalid/1',
  ])
  const exceeded = async (html: string) => (await documents.open(html)).run('markInputs', 'https://x.invalid/', limits)
  t.strictSame(await exceeded('<input name=a value=01234567890>'), { exceeded: { name: 'a', chars: 11 } })
  t.strictSame(await exceeded('<input><input><input><input>'), { exceeded: { inputs: 4 } })
  t.strictSame(await exceeded('<select id=s><option><option><option></select>'), {
    exceeded: { name: 's', options: 3 },
  })
})

const rows = (count: number) => Array.from({ length: count }, (_, i) => `<tr><td>${i}<td>row ${i}`).join('')
const table = (count: number) => `<!doctype html><table><thead><tr><th>a<th>b</thead><tbody>${rows(count)}</table>`

t.test('a long table is split into parts that look the same', async (t) => {
  const document = await documents.open(`${table(60)}<p>after`)
  const place = 'document.querySelector("p").getBoundingClientRect().top'
  const before = await document.evaluate(place)
  t.equal(await document.run('splitTables', { mostRows: 61, rowsOfPart: 24 }), 0)
  t.equal(await document.run('splitTables', { mostRows: 50, rowsOfPart: 24 }), 1)
  t.equal(await document.evaluate('document.querySelectorAll("table").length'), 3)
  t.ok(Math.abs(Number(await document.evaluate(place)) - Number(before)) < 1)
  const kept = await documents.open(`<div style="columns: 2">${table(60)}</div>`)
  t.equal(await kept.run('splitTables', { mostRows: 50, rowsOfPart: 24 }), 0)
})

t.test('rows of a long table are shown in slices', async (t) => {
  const document = await documents.open(`${table(60)}<p>after`)
  t.equal(await document.run('takeRows', 50), 60)
  t.equal(await document.run('fixWidths'), true)
  const shown = await document.run('showRows', 0, 20, 0)
  t.equal(shown?.length, 20)
  t.strictSame(shown?.[0], [0, 0, true])
  t.equal(await document.evaluate('document.querySelector("p").checkVisibility()'), false)
  t.equal((await document.run('showRows', 15, 60, 0))?.length, 45)
  t.ok(
    await document.evaluate(
      `document.getElementById("${rowPrefix}59") !== null && document.querySelector("p").checkVisibility()`,
    ),
  )
  await document.run('showEmptyPages', 3)
  t.equal(await document.evaluate('document.body.children.length'), 3)
  await document.run('releaseRows')
  t.equal(await document.run('showRows', 0, 1, 0), undefined, 'no rows are kept')
  for (const html of [`<form></form>${table(60)}`, `${table(60)}<style>tr:nth-last-child(2) { color: red }</style>`])
    t.equal(await (await documents.open(html)).run('takeRows', 50), 0)
})
