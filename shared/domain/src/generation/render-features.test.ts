import t from 'tap'
import { optionFeatures, resolvePdfOptions } from '../document/pdf-options.ts'
import { type FeatureTable, featuresOf, isOperation, unknownFeatures } from './render-features.ts'

const table: FeatureTable = {
  options: { ...optionFeatures, margin: 'margins', tagged: 'tags', scale: 'scale' },
  input: {
    html: undefined,
    template: undefined,
    partials: 'partials',
    data: undefined,
    data_json: undefined,
    partial_sources: undefined,
    translations: undefined,
    helpers: undefined,
    tool: undefined,
    page: undefined,
    files: undefined,
    requests: undefined,
    screenshot: undefined,
    refusals: undefined,
    chain: undefined,
  },
}

t.test(
  'a document requires the features of the options that are not at their default, and of its other fields',
  async (t) => {
    const plain = { html: '<p>', options: resolvePdfOptions() }
    t.strictSame(featuresOf(plain, table), [])
    const options = resolvePdfOptions({ margin: { top: 0 }, tagged: true, scale: 1 })
    t.strictSame(featuresOf({ ...plain, options, partials: {} }, table), ['margins', 'tags', 'partials'])
    t.strictSame(unknownFeatures({ requires: featuresOf({ ...plain, options }) }), [], 'this version knows its own')
  },
)

t.test('each step after the print, and each operation on PDFs, is a feature', async (t) => {
  const options = resolvePdfOptions({ output: { stamps: [{ text: 'x' }], protect: { user_password: 'x' } } })
  const tool = { operation: { operation: 'merge' as const }, sources: [] }
  const needed = featuresOf({ tool, options })
  t.strictSame(needed, ['output-stamps', 'output-protect', 'pdf-merge'])
  t.strictSame(unknownFeatures({ requires: [...needed, 'output-translate'] }), ['output-translate'])
  t.equal(isOperation(needed), true)
  const chain = { tasks: [{ operation: tool.operation }], names: [] }
  t.equal(isOperation(featuresOf({ html: 'x', chain, options })), false, 'a print, and then a merge')
  t.equal(isOperation(), false)
})

t.test('bytes in an input are a feature, and Base64 is none', async (t) => {
  const options = resolvePdfOptions()
  const files = (content: string | Uint8Array) => featuresOf({ html: 'x', files: { a: content }, options })
  t.strictSame(files('AA=='), ['request-files'])
  t.strictSame(files(Buffer.from('a')), ['request-files', 'file-bytes'])
  const sources = [{ name: 'upload', content_base64: Buffer.from('a') }]
  t.strictSame(featuresOf({ tool: { operation: { operation: 'merge' }, sources }, options }), [
    'pdf-merge',
    'file-bytes',
  ])
})

t.test('features of a later version are unknown', async (t) => {
  t.strictSame(unknownFeatures({ requires: ['three-dimensions', 7] }), ['three-dimensions'])
  for (const none of [{}, { requires: [] }, { requires: 'x' }, null, undefined, 'x'])
    t.strictSame(unknownFeatures(none), [])
})
