import { fail } from '@platen/domain/http/errors.ts'
import type { LabelState } from '@platen/domain/template/label-state.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { Type } from 'typebox'

export const templateTags = ['Templates']

export const TemplateParams = Type.Object({
  idOrSlug: Type.String({ description: 'Id (`tpl_…`) or slug.', examples: ['monthly-invoice'] }),
})

/** The version that has the label. Throws LABEL_NOT_FOUND, which names the labels of the template. */
export function versionWithLabel(idOrSlug: string, label: string, labels: LabelState): number {
  const names = Object.keys(labels)
  const known = names.length === 0 ? '' : `; it has ${names.join(', ')}`
  const version = Object.hasOwn(labels, label) ? labels[label] : undefined
  return version ?? fail('LABEL_NOT_FOUND', `Template ${idOrSlug} has no label ${label}${known}`)
}

/** `deletedId`: the template with this id or slug that was deleted, if any. */
export function noSuchTemplate(idOrSlug: string, deletedId?: string): never {
  if (deletedId === undefined) return fail('TEMPLATE_NOT_FOUND', `Template ${readable(idOrSlug)} does not exist`)
  const which =
    deletedId === idOrSlug ? `Template ${deletedId} was deleted` : `Template ${idOrSlug} (${deletedId}) was deleted`
  return fail('TEMPLATE_NOT_FOUND', `${which}; its versions are listed under its id, and can be restored`)
}
