import type { ViewSchema } from '@platen/service-kit/projections/view-database.ts'
import { apiKeyTables } from './api-key-view.ts'
import { generationTables } from './generation-view.ts'
import { labelTables } from './label-view.ts'
import { metadataTables } from './metadata-table.ts'
import { ownerTables } from './owner-view.ts'
import { partialTables } from './partial-view.ts'
import { templateAssetsTables } from './template-assets.ts'
import { templateTables } from './template-view.ts'

export const viewSchema: ViewSchema = {
  /** To be raised when a table or what is stored in it changes: views of another version are built anew. */
  version: 1,
  tables: [
    templateTables,
    templateAssetsTables,
    partialTables,
    labelTables,
    generationTables,
    metadataTables,
    apiKeyTables,
    ownerTables,
  ].join(''),
}
