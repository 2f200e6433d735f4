import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListedHelper } from '@platen/domain/template/listed-helper.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { builtinHelpers } from '@platen/templating/handlebars/builtin-helpers.ts'
import { catalogue } from '@platen/templating/handlebars/helpers/catalogue.ts'
import type { Helper } from '@platen/templating/handlebars/helpers/helper.ts'
import { Type } from 'typebox'
import { needsScope } from '../api-keys/authentication.ts'
import { OwnerQuery } from '../api-keys/owner-of.ts'
import { errorResponses } from '../http/openapi/route-schemas.ts'
import { templateTags } from './template-params.ts'

/** What editors show and complete. docs/reference/helpers.md is made of the same catalogue. */
export const helperRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const data = Object.entries({ 'Built in': builtinHelpers, ...catalogue }).flatMap(([family, helpers]) =>
    Object.entries<DocumentedHelper>(helpers).map(([name, helper]) => listed(family, name, helper)),
  )

  app.get('/helpers', {
    onRequest: needsScope('templates:read'),
    schema: {
      tags: templateTags,
      operationId: 'listHelpers',
      summary: 'List the helpers that every template may call',
      description: 'In the order of the documentation. The own helpers of a template are not among them.',
      querystring: OwnerQuery,
      response: {
        200: Type.Object({ data: Type.Array(ListedHelper) }, { title: 'HelperList', description: 'All helpers.' }),
        ...errorResponses(),
      },
    },
    handler: async () => ({ data }),
  })
}

type DocumentedHelper = Omit<Helper, 'run' | 'asks'>

function listed(family: string, name: string, helper: DocumentedHelper): ListedHelper {
  const { signature, does, block = false, args, hash = [], examples } = helper
  const [min, max] = args
  return {
    name,
    family,
    signature,
    description: does,
    block,
    arguments: { min, max },
    named: hash === 'any' ? [] : [...hash],
    examples: examples.map(({ template, data, gives }) => ({
      template,
      ...defined({ data }),
      result: gives,
    })),
  }
}
