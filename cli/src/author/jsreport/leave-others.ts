import type { JsonObject } from '@platen/foundation/json/json.ts'
import { type Entity, type JsreportExport, nameOf, textOf } from './read-export.ts'
import type { Remarks } from './report.ts'

/** Assets of jsreport that can be assets of Platen. */
const files = /\.(?:png|jpe?g|gif|webp|avif|svg|woff2?|ttf|otf|ttc|otc|css|m?js|pdf)$/i

/** Whether an asset is stored as an asset. */
export const isFile = ({ name, fields }: Entity): boolean =>
  textOf(fields.link) === '' && files.test(name) && !isSharedScript(fields)

/** Whether an asset has helpers of templates. */
export const isSharedScript = (fields: JsonObject): boolean =>
  fields.isSharedHelper === true || ['global', 'folder'].includes(textOf(fields.sharedHelpersScope))

/** Names what is neither stored nor used by something that is: `taken` has what is used. */
export function leaveOthers(exported: JsreportExport, taken: ReadonlySet<Entity>, remarks: Remarks): void {
  for (const entity of exported.entities) {
    const reason = taken.has(entity) ? undefined : reasonOf(entity)
    if (reason !== undefined) remarks.left(nameOf(entity), reason)
  }
}

function reasonOf(entity: Entity): string | undefined {
  const { set, fields } = entity
  if (set === 'templates') return undefined
  if (set === 'data') return 'no template that is taken has it as its sample data'
  if (set === 'components') return 'no template that is taken prints it'
  if (set === 'scripts') return 'a script that changes requests; Platen runs none'
  if (set !== 'assets') return `Platen has no ${set}`
  if (textOf(fields.link) !== '') return `its content is a file of the server: ${textOf(fields.link)}`
  return isFile(entity) || isSharedScript(fields) ? undefined : 'a file of this type is no asset'
}
