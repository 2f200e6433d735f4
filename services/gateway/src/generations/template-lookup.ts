import type { Claim } from '@platen/foundation/runtime/fair-shares.ts'
import type { SchemaChecker } from '@platen/templating/data-schema/schema-checker.ts'
import type { NewestPins } from '../partials/newest-pins.ts'
import type { CurrentLabels } from '../templates/current-labels.ts'
import type { CurrentTemplates } from '../templates/current-templates.ts'
import type { VersionReader } from '../templates/version-reader.ts'
import type { TemplateLookup } from './resolve-input.ts'

export interface TemplateLookupOptions {
  templates: CurrentTemplates
  readVersion: VersionReader
  newestPins: NewestPins
  labels: CurrentLabels
  schemas: Pick<SchemaChecker, 'check'>
}

/** The templates of an owner. `claim`: who shares the threads that check data with others. */
export function templateLookup(
  { templates, readVersion, newestPins, labels, schemas }: TemplateLookupOptions,
  claim: Claim,
): TemplateLookup {
  const { owner } = claim
  return {
    find: (idOrSlug) => templates.find(idOrSlug, owner),
    notFound: (idOrSlug) => templates.notFound(idOrSlug, owner),
    readVersion,
    newestPins: (sources, names) => newestPins(owner, sources, names),
    checkData: (schema, value) => schemas.check(claim, schema, [{ name: 'data', value }]),
    labelsOf: async (id) => (await labels.of(id)).labels,
  }
}
