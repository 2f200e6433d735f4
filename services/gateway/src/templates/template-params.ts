import { fail } from '@platen/domain/http/errors.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { Type } from 'typebox'

export const templateTags = ['Templates']

export const TemplateParams = Type.Object({
  idOrSlug: Type.String({ description: 'Id (`tpl_…`) or slug.', examples: ['monthly-invoice'] }),
})

export function noSuchTemplate(idOrSlug: string): never {
  return fail('TEMPLATE_NOT_FOUND', `Template ${readable(idOrSlug)} does not exist`)
}
