import t from 'tap'
import { inspectTexts } from '../inspect/inspect-texts.ts'
import { descriptionFromText } from './describe-document.ts'

const described = (html: string, options = {}) => {
  const traits = inspectTexts({ html, headerHtml: '', footerHtml: '', javascript: 'auto' })
  return descriptionFromText({ html, ...traits, options })
}

t.test('a document without metadata is described by its text', async (t) => {
  t.match(described('<p>x'), { lang: '', author: '', brokenImages: [] })
  t.match(described('<!doctype html>\n<html lang="de-AT"><meta charset=utf-8><p>x'), { lang: 'de-AT' })
})

t.test('the page is asked where only the parser knows', async (t) => {
  t.equal(described('<meta name=author content=x>'), undefined)
  t.equal(described('<template><html lang=de></template><p>x'), undefined, 'the parser ignores it')
  t.equal(described('<html lang=de><p>x<html lang=fr class=x>'), undefined)
  t.equal(described('<!-- <html lang=de> --><p>x'), undefined)
  t.equal(described('<p>\u{1f600}'), undefined, 'it may have no font')
  t.equal(described('<h1>a<br>b</h1>', { outline: true }), undefined)
})
