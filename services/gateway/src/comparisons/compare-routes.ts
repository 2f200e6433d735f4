import { Readable } from 'node:stream'
import { comparisonLimits, IgnoredArea } from '@platen/domain/generation/page-comparison.ts'
import { TemplateComparison } from '@platen/domain/generation/template-comparison.ts'
import { stringifyExact } from '@platen/foundation/json/exact-json.ts'
import { JsonObject } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { needsScope, requireScope } from '../api-keys/authentication.ts'
import { ownerQuery } from '../api-keys/owner-of.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { bodyErrors, errorResponses, printErrors } from '../http/openapi/route-schemas.ts'
import { jsonsOf } from '../http/plugins/json-parser.ts'
import { resource } from '../http/resource.ts'
import { sampleOf } from '../previews/resolve-preview.ts'
import type { CurrentLabels } from '../templates/current-labels.ts'
import type { CurrentTemplates } from '../templates/current-templates.ts'
import { recordedVersions } from '../templates/recorded-versions.ts'
import { TemplateParams, templateTags } from '../templates/template-params.ts'
import { type ComparePagesOptions, comparePages } from './compare-pages.ts'
import { compareVersions } from './compare-versions.ts'
import { comparedQuery, readCompared } from './compared-versions.ts'

export interface CompareRoutesOptions extends ComparePagesOptions {
  templates: CurrentTemplates
  labels: CurrentLabels
}

const bodyLimit = 1024 * 1024

const sample = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'of pages: a set of `samples` of the newer version. Default: its `sample_data`',
  }),
)
const images = Type.Optional(
  Type.Boolean({ description: 'of pages: with a PNG of both sides of each page that is not the same' }),
)

const ComparePagesBody = Type.Object(
  {
    data: Type.Optional(JsonObject),
    sample,
    ignore: Type.Optional(
      Type.Array(IgnoredArea, { maxItems: comparisonLimits.ignored, description: 'such as that of a date' }),
    ),
  },
  { title: 'ComparePagesRequest', additionalProperties: false, examples: [{ data: { number: 'R-1001' } }] },
)

const aboutPages = [
  'Pages: both versions are printed with the same data, and their pages are compared by pixels. They are paired by what they contain, so an inserted page is one `added` page. A page is `same`, `changed` with boxes around what differs, `added` or `removed`.',
  `Nothing is recorded. It takes the time and the fairness of a synchronous request, for at most ${comparisonLimits.pages} pages of each version. The key needs the scope \`generate\`, too.`,
]

/** Routes that compare two versions of a template: their content and their pages. */
export const compareRoutes = resource<CompareRoutesOptions>('comparisons', async (app, options) => {
  const { templates, labels } = options
  const versions = recordedVersions(templates)

  app.get('/templates/:idOrSlug/compare', {
    onRequest: needsScope('templates:read'),
    schema: {
      tags: templateTags,
      operationId: 'compareTemplateVersions',
      summary: 'Compare two versions of a template',
      description: [
        'Sources are compared by lines, as unified diffs; other fields by the paths in them. At most 500 differences are listed.',
        'With `pages=true` the pages are compared, too: see `POST`, which takes the data of the request. The key then needs the scope `generate`, too, as documents are printed.',
      ].join('\n\n'),
      params: TemplateParams,
      querystring: Type.Object(
        {
          ...comparedQuery,
          pages: Type.Optional(Type.Boolean({ description: 'compares the pages, too' })),
          sample,
          images,
          ...ownerQuery,
        },
        { additionalProperties: false },
      ),
      response: { 200: TemplateComparison, ...errorResponses(...printErrors) },
    },
    async handler(request, reply) {
      const { pages = false, sample, images = false, ...named } = request.query
      if (pages) requireScope(request, 'generate')
      else if (sample !== undefined) invalidField('sample', 'requires pages=true')
      else if (images) invalidField('images', 'requires pages=true')
      const { from, to } = await readCompared({ versions, labels }, await versions.find(request), named)
      const comparison = await compareVersions(from, to)
      if (!pages) return comparison
      const compared = { from, to, data: { data: sampleOf(to, sample) }, images, ignored: [] }
      const parts = await comparePages(options, { request, reply }, compared)
      return reply.type(json).send(withFields(comparison, parts) as never)
    },
  })

  app.post('/templates/:idOrSlug/compare', {
    // The sources are in the answer, and documents are printed.
    onRequest: [needsScope('templates:read'), needsScope('generate')],
    config: { textFields: ['data'] },
    bodyLimit,
    schema: {
      tags: templateTags,
      operationId: 'compareTemplatePages',
      summary: 'Compare two versions of a template as pages',
      description: [
        'As `GET` with `pages=true`, with data of the request, and with areas that do not count.',
        ...aboutPages,
      ].join('\n\n'),
      params: TemplateParams,
      querystring: Type.Object({ ...comparedQuery, images, ...ownerQuery }, { additionalProperties: false }),
      body: ComparePagesBody,
      response: { 200: TemplateComparison, ...errorResponses(...bodyErrors, ...printErrors) },
    },
    async handler(request, reply) {
      const { images = false, ...named } = request.query
      const { ignore: ignored = [] } = request.body
      const { from, to } = await readCompared({ versions, labels }, await versions.find(request), named)
      const data = dataOf({ ...request.body, data_json: jsonsOf(request).data }, (sample) => sampleOf(to, sample))
      const comparison = await compareVersions(from, to)
      const parts = await comparePages(options, { request, reply }, { from, to, data, images, ignored })
      return reply.type(json).send(withFields(comparison, parts) as never)
    },
  })
})

const json = 'application/json; charset=utf-8'

/** The JSON of the comparison, with the fields of another JSON object, which arrives in parts and may be large. */
function withFields(comparison: TemplateComparison, parts: readonly Uint8Array[]): Readable {
  const [first = new Uint8Array(), ...rest] = parts.filter(({ byteLength }) => byteLength > 0)
  return Readable.from([Buffer.from(`${stringifyExact(comparison).slice(0, -1)},`), first.subarray(1), ...rest])
}

type GivenData = Pick<Static<typeof ComparePagesBody>, 'data' | 'sample'> & { data_json: string | undefined }

function dataOf({ data, data_json, sample }: GivenData, sampleData: (sample: string | undefined) => JsonObject) {
  if (data === undefined && data_json === undefined) return { data: sampleData(sample) }
  if (sample !== undefined) invalidField('sample', 'cannot be given together with data')
  return data_json === undefined ? { data: data ?? {} } : { data_json }
}
