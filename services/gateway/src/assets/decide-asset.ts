import type { AssetDeleted, AssetStored } from '@platen/domain/asset/asset-events.ts'
import { type AssetContent, type AssetLibrary, namedChars } from '@platen/domain/asset/asset-library.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { readable } from '@platen/foundation/runtime/readable.ts'
import { isMatch, isNoneMatch } from '../http/headers/entity-tags.ts'
import { type AssetLimits, maxNameChars } from './asset-limits.ts'

/** The headers `If-Match` and `If-None-Match`. Entity tags are the SHA-256 of contents. */
export interface AssetConditions {
  'if-match'?: string | undefined
  'if-none-match'?: string | undefined
}

/** The new content of a name. */
export type NewContent = Omit<AssetStored['data'], 'version' | 'created_at'>

/** Undefined if the name has this content already. Throws PRECONDITION_FAILED and ASSET_LIMIT_EXCEEDED. */
export function storeAsset(
  library: AssetLibrary,
  data: NewContent,
  { conditions, limits, time }: { conditions: AssetConditions; limits: AssetLimits; time: string },
): AssetStored | undefined {
  const current = library.find(data.name)
  checkConditions(current, data.name, conditions)
  if (current?.sha256 === data.sha256 && current.type === data.type) return undefined
  if (!current && library.count >= limits.count) {
    fail('ASSET_LIMIT_EXCEEDED', `An owner may have at most ${limits.count} assets`)
  }
  if (library.bytes - (current?.bytes ?? 0) + data.bytes > limits.totalBytes) {
    fail('ASSET_LIMIT_EXCEEDED', `The assets of an owner may have at most ${limits.totalBytes / 2 ** 20} MiB together`)
  }
  const references = data.references?.length ?? 0
  if (library.references - (current?.references.length ?? 0) + references > limits.references) {
    fail(
      'ASSET_LIMIT_EXCEEDED',
      `The style sheets and scripts of an owner may name at most ${limits.references} assets together`,
    )
  }
  const chars = library.nameChars - (current ? namedChars(data.name, current) : 0) + namedChars(data.name, data)
  if (chars > maxNameChars) {
    fail(
      'ASSET_LIMIT_EXCEEDED',
      `The names of the assets of an owner, with those that style sheets and scripts name, may have at most ${maxNameChars} characters together`,
    )
  }
  const version = library.nextVersion(data.name)
  return { type: 'AssetStored', data: { ...data, version, created_at: current?.createdAt ?? time } }
}

/** Throws ASSET_NOT_FOUND and PRECONDITION_FAILED. */
export function deleteAsset(library: AssetLibrary, name: string, conditions: AssetConditions): AssetDeleted {
  const current = library.find(name) ?? assetNotFound(name)
  checkConditions(current, name, conditions)
  return { type: 'AssetDeleted', data: { name } }
}

export function assetNotFound(name: string): never {
  return fail('ASSET_NOT_FOUND', `Asset ${readable(name)} does not exist`)
}

function checkConditions(current: AssetContent | undefined, name: string, conditions: AssetConditions): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = conditions
  if (ifMatch !== undefined && !(current && isMatch(ifMatch, current.sha256))) {
    fail(
      'PRECONDITION_FAILED',
      `Asset ${name} ${current ? 'has another content than' : 'does not exist; see'} If-Match`,
    )
  }
  if (ifNoneMatch !== undefined && current && isNoneMatch(ifNoneMatch, current.sha256)) {
    fail('PRECONDITION_FAILED', `Asset ${name} exists, which If-None-Match excludes`)
  }
}
