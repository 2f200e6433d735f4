import t from 'tap'
import { inspectDocument } from './inspect-document.ts'

const inspect = (html: string) => inspectDocument(html, { javascript: 'auto' })

const pageRules: [title: string, css: string, rules: Record<string, string> | undefined][] = [
  ['no rule', 'p { size: A4; margin: 0 }', undefined],
  ['size and margin', '@page { size: A4 landscape; margin: 1cm 2cm }', { size: 'A4 landscape', margin: '1cm 2cm' }],
  ['capitals, escapes and comments', '@PAGE/**/{ S\\69ze: /* x */ A5 /* y */ }', { size: 'A5' }],
  ['a value in several lines', '@page { size: A4\n\tlandscape }', { size: 'A4 landscape' }],
  ['an empty rule', '@page { }', undefined],
  ['a rule left open', '@page { size: A5', { size: 'A5' }],
  ['an important declaration', '@page { margin: 0 !important; }', { margin: '0' }],
  ['other declarations', '@page { orphans: 2 }', {}],
  ['a margin box', '@page { margin: 2cm; @top-left { margin: 1cm; content: "x" } }', { margin: '2cm' }],
  ['a named page', '@page cover { size: A3 } @page :first { margin: 0 }', undefined],
  ['a named page before one without a name', '@page cover { size: A3 } @page { size: A5 }', { size: 'A5' }],
  ['two rules', '@page { size: A4; margin: 1cm } @page { margin: 2cm }', { size: 'A4', margin: '2cm' }],
  ['one side', '@page { margin: 1cm; margin-top: 3cm }', { margin: '1cm', 'margin-top': '3cm' }],
  ['a margin after one side', '@page { margin-top: 3cm; margin: 1cm }', { margin: '1cm' }],
  ['a rule in a media query', '@media print { @page { size: A5 } p { size: A3 } }', { size: 'A5' }],
  ['a rule in a string or comment', '/* @page { size: A5 } */ p::after { content: "@page { size: A5 }" }', undefined],
  ['stray braces', '} } @page { size: A5 } }', { size: 'A5' }],
]

t.test('the page rules are those of the style elements', async (t) => {
  for (const [title, css, rules] of pageRules) t.same(inspect(`<style>${css}</style>`).pageRules, rules, title)
})

t.test('the base is the first that has an href', async (t) => {
  t.equal(inspect('<p>x').baseHref, undefined)
  t.equal(inspect('<base target=a>').baseHref, undefined)
  t.equal(inspect('<base target=a><base href="/a?b=1&amp;c=2"><base href=b>').baseHref, '/a?b=1&c=2')
  t.equal(inspect('<base href=a href=b>').baseHref, 'a')
})

t.test('language and author are those of the document', async (t) => {
  const { lang, author } = inspect('<html lang=de-AT><meta name=Author content="Ren&eacute; &amp; Co"><html lang=fr>')
  t.same([lang, author], ['de-AT', 'Ren\u00e9 & Co'])
  t.same(inspect('<p lang=de><meta name=writer content=x><!-- <html lang=fr> -->').lang, '')
  t.same(inspect('<p>x').author, '')
  t.equal(inspect(`<html lang=${'x'.repeat(600)}>`).lang.length, 500)
  t.equal(inspect(`<meta name=author content=${'x'.repeat(600)}>`).author.length, 500)
})
