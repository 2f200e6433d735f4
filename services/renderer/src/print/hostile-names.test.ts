import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import { openTestDocuments } from '@platen/test-support/renderer/open-document.ts'
import { openTestPrinter } from '@platen/test-support/renderer/open-test-printer.ts'
import t from 'tap'
import { readPdf } from '../../../../test/support/read-pdf.ts'
import { Connection } from '../chromium/browser/cdp/connection.ts'
import type { PrintJob } from './print-job.ts'
import { placeComment } from './warning-pages.ts'

// Documents whose elements have the names of all properties that a document and a form have. `<img name=body>` hides a property of the
// document, and `<input name=id>` one of its form.

await using documents = await openTestDocuments()
const properties = `[document, document.createElement('form')].flatMap((object) => {
  const chain = []
  for (let one = Object.getPrototypeOf(object); one; one = Object.getPrototypeOf(one)) chain.push(one)
  return chain.flatMap((one) => Object.getOwnPropertyNames(one))
})`
const found = (await (await documents.open('<p>x')).evaluate(properties)) as string[]
const names = [...new Set([...found, 'get', 'call', 'Promise', 'Number', 'JSON', 'Reflect', 'Proxy', 'Map', 'Set'])]

/** What a document has: nothing, or the names. */
interface Names {
  images: string
  inputs: string
}
const none: Names = { images: '', inputs: '' }
const hostile: Names = {
  images: names.map((name) => `<img hidden name=${name}>`).join(''),
  inputs: names.map((name) => `<input type=hidden name=${name}>`).join(''),
}

/** What the scripts of the isolated world have thrown. */
const thrown: string[] = []
const { session } = Connection.prototype
Connection.prototype.session = function (id) {
  const opened = session.call(this, id)
  const { send } = opened
  return Object.assign(opened, {
    async send(method: 'Runtime.callFunctionOn', params?: { functionDeclaration: string }) {
      const answer = await send(method, params)
      if (method === 'Runtime.callFunctionOn' && answer.exceptionDetails)
        thrown.push(`${answer.exceptionDetails.exception?.description} in ${params?.functionDeclaration.slice(0, 200)}`)
      return answer
    },
  })
}
const limits = { pages: 1_000, pdfBytes: 50e6, resources: 100, resourceBytes: 1e6, resourceTimeoutMs: 2_000 }
const printer = await openTestPrinter({ deadlineMs: 120_000, limits })
t.teardown(() => printer[Symbol.asyncDispose]())

const rows = Array.from({ length: 4_100 }, (_, index) => `<tr><td>${index}<td>article ${index}`).join('')
const table = `<table><thead><tr><th>No<th>Article</thead><tbody>${rows}</table>`
const picture = { format: 'png' as const, width: 300, height: 300, selector: 'form' }

interface Case {
  html: string
  options?: PdfOptions
  job?: Partial<PrintJob>
}

const cases: Record<string, (names: Names) => Case> = {
  'headings, language and pictures': ({ inputs }) => ({
    html: `<html lang=de><meta name=author content=Ada><form>${inputs}漢字<h1>One<br>two</h1><img src=http://nowhere.invalid/a></form>`,
    options: { outline: true, tagged: true },
    job: { locate: true },
  }),
  'the place of a warning': ({ inputs }) => ({
    html: `<p style="break-after:page">x</p><form>${inputs}${placeComment('0')}text</form>`,
    job: { locate: true, warnings: [{ code: 'MISSING_VALUE', message: 'x' }] },
  }),
  'a contents list': ({ inputs }) => ({
    html: `<nav data-platen-toc="1-2"></nav><h1 style="break-before:page">One <form>${inputs}<span>two</span></form></h1>`,
  }),
  'a large table in slices': () => ({ html: table }),
  'a large table in parts': ({ inputs }) => ({ html: `<form>${inputs}${table}</form>`, options: { tagged: true } }),
  'margins with sums': ({ inputs, images }) => ({
    html: `<form data-platen-amount=1.50>${inputs}row</form>`,
    job: {
      headerHtml: `${images}<div style="height:300px">tall</div><form data-platen-pages=last>${inputs}last</form><form data-platen-pages=2->${inputs}2</form>`,
      footerHtml: `${images}<form data-platen-carry=carried>${inputs}Carried <span class=subtotal></span></form>`,
    },
  }),
  'one page': ({ inputs }) => ({ html: `<form>${inputs}x</form>`, options: { single_page: true } }),
  'form fields': ({ inputs }) => ({
    html: `<form role=radiogroup id=g aria-labelledby=g>${inputs}<legend>Fee</legend><input type=radio name=fee><input aria-labelledby=g></form>`,
    options: { form_fields: true },
  }),
  'a selector to wait for': ({ inputs }) => ({
    html: `<form id=there>${inputs}x</form>`,
    options: { wait_for: { selector: '#there' } },
  }),
  'scripts, animations and frames': ({ inputs, images }) => ({
    html: `<style>form { animation: a 1s }</style><iframe srcdoc="${images}<p>x</p><script>1</script>"></iframe><script>2</script><form>${inputs}x</form>`,
  }),
  'a picture of a form': ({ inputs }) => ({ html: `<form>${inputs}x</form>`, job: { screenshot: picture } }),
}

for (const [title, caseOf] of Object.entries(cases)) {
  t.test(`names of elements change nothing of ${title}`, async (t) => {
    const print = async (names: Names) => {
      thrown.length = 0
      const { html, options, job } = caseOf(names)
      const { pdf, pages, warnings, form } = await printer.printHtml(names.images + html, options, job)
      const texts = job?.screenshot ? [] : (await readPdf(pdf)).map(({ text }) => text)
      return { pages, warnings, fields: form?.fields, texts, thrown: [...thrown] }
    }
    const plain = await print(none)
    t.strictSame(plain.thrown, [])
    t.strictSame(await print(hostile), plain)
  })
}
