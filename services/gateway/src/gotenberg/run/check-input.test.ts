import t from 'tap'
import { Form } from '../form/form.ts'
import { readDrawing, readFlatten } from '../pdf/read-pdf-job.ts'
import { checkInput } from './check-input.ts'

const pdf = (name: string) => ({ field: 'files', name, bytes: Buffer.from('%PDF-1.7') })

function stamps(count: number, options = {}) {
  const fields = { stampSource: 'text', stampExpression: 'DRAFT', stampOptions: JSON.stringify(options) }
  const repeated = Object.entries(fields).map(([name, value]) => [name, Array<string>(count).fill(value)] as const)
  return readDrawing('stamp')(new Form(new Map(repeated), [pdf('a.pdf')])).input
}

t.test('an input that no renderer would read is refused, with the path of what is wrong', async (t) => {
  t.doesNotThrow(() => checkInput(stamps(2)))
  t.throws(() => checkInput(stamps(21)), {
    status: 400,
    message: /^Invalid form data: \/chain\/tasks\/0\/steps\/stamps /,
  })
  t.throws(() => checkInput(stamps(1, { opacity: '7' })), { status: 400, message: /\/stamps\/0\/opacity / })
})

t.test('PDFs whose names differ in their extension only have different names, and there are at most 100', async (t) => {
  const named = (...names: string[]) => readFlatten(new Form(new Map(), names.map(pdf))).input.chain?.names
  t.same(named('a.pdf', 'a.PDF', 'b.pdf')?.toSorted(), ['a', 'a_2', 'b'])
  const many = Array.from({ length: 101 }, (_, index) => `${index}.pdf`)
  t.equal(named(...many.slice(1))?.length, 100)
  t.throws(() => named(...many), { status: 400, message: /101 PDFs were sent, at most 100/ })
})
