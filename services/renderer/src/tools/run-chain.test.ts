import type { PdfResult, PdfTask } from '@platen/pdf-tools/task/task.ts'
import t from 'tap'
import { runChain } from './run-chain.ts'

const bounds = { timeoutMs: 10_000, memoryMb: 512, maxPages: 10, maxBytes: 1_000 }
const run = { options: {}, caller: { owner: 'own_1', key: 'key_1' }, signal: new AbortController().signal }

/** Each task makes `count` files of `size` bytes and one page of each PDF. */
const toolbox = ({ count = 1, size = 10 }) => ({
  bounds,
  async run({ operation: { operation } }: PdfTask): Promise<PdfResult> {
    const file = { bytes: new Uint8Array(size), mediaType: 'application/pdf' as const, pages: 1 }
    const step = { step: operation, bytes: count * size, sha256: 'a', ms: 2 }
    return { files: Array(count).fill(file), steps: [step], warnings: [] }
  },
})
const chain = (...operations: ('optimize' | 'flatten')[]) => ({
  tasks: operations.map((operation) => ({ operation: { operation } })),
  names: ['a', 'b', 'c'],
})
const sources = ['a', 'b', 'c'].map((name) => ({ name, bytes: new Uint8Array(100) }))

t.test('a task on several PDFs has one result for all of them', async (t) => {
  const { steps, pages } = await runChain(toolbox({}), chain('optimize', 'flatten'), sources, run)
  t.match(steps, [
    { step: 'optimize', bytes: 30, ms: 6, sha256: /^[0-9a-f]{64}$/ },
    { step: 'flatten', bytes: 30, ms: 6 },
  ])
  t.equal(pages, 3)
  const { steps: ofOne } = await runChain(toolbox({}), chain('optimize'), sources.slice(1), run)
  t.equal(ofOne.length, 1)
})

t.test('descriptions of several PDFs are one object with the name of each', async (t) => {
  const described = {
    bounds,
    async run({ sources: [source] }: PdfTask): Promise<PdfResult> {
      const bytes = Buffer.from(JSON.stringify({ [`${source?.name}.pdf`]: { title: '{"}' } }))
      return { files: [{ bytes, mediaType: 'application/json', pages: 0 }], steps: [], warnings: [] }
    },
  }
  const { bytes, media_type } = await runChain(described, chain('flatten'), sources, run)
  t.equal(media_type, 'application/json')
  const title = '{"}'
  t.strictSame(JSON.parse(Buffer.from(bytes).toString()), {
    'a.pdf': { title },
    'b.pdf': { title },
    'c.pdf': { title },
  })
})

t.test('bytes and pages of all PDFs together are bounded, those that wait included', async (t) => {
  const limited = (reason: string) => ({ code: 'RENDER_LIMIT_EXCEEDED', details: { reason } })
  await t.rejects(runChain(toolbox({ size: 850 }), chain('optimize'), sources, run), limited('too-large'))
  await t.resolves(runChain(toolbox({ size: 300 }), chain('optimize'), sources, run))
  await t.rejects(runChain(toolbox({ count: 4 }), chain('optimize'), sources, run), limited('too-many-pages'))
})
