import { maxFileNameChars, notInFileNames } from '@platen/domain/generation/job-details.ts'
import { isJsonObject } from '@platen/foundation/json/is-json-object.ts'
import type { JsonObject } from '@platen/foundation/json/json.ts'
import { valueAt } from '@platen/templating/handlebars/helpers/helper.ts'
import type { ItemPlace } from './body-protocol.ts'

const expression = /\{\{\s*([^\s{}]{1,90})\s*\}\}/g
const forbidden = new RegExp(`[${notInFileNames}]+`, 'g')

/** Why a pattern of file names cannot be used; undefined if it can. */
export function fileNameProblem(pattern: string): string | undefined {
  const rest = pattern.replace(expression, '')
  if (!rest.includes('{{') && !rest.includes('}}')) return undefined
  return 'may have paths of the data in braces, such as {{customer.number}}, and no other expressions'
}

/** The file name with the values of the data. Undefined if it is empty then. */
function fileNameFrom(pattern: string, data: JsonObject, index: number): string | undefined {
  const name = pattern.replace(expression, (_, path: string) => {
    const value = valueAt(data, path)
    return value === undefined && path === 'index' ? String(index) : textOf(value)
  })
  const allowed = name.replace(forbidden, '-').trim().slice(0, maxFileNameChars)
  return allowed === '' ? undefined : allowed
}

/** The file name of an item that was not checked yet. Undefined if it has none, or one that is refused later. */
export function itemFileName(item: unknown, { index, pattern = '' }: ItemPlace): string | undefined {
  if (!isJsonObject(item)) return undefined
  const { file_name = pattern, data = {} } = item
  if (typeof file_name !== 'string' || fileNameProblem(file_name) !== undefined || !isJsonObject(data)) return undefined
  return fileNameFrom(file_name, data, index)
}

function textOf(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : String(value)
}
