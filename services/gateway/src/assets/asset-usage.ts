import type { AssetLibrary } from '@platen/domain/asset/asset-library.ts'
import { type Static, Type } from 'typebox'

/** Items of a list of uses. The counts are complete. */
const maxListed = 1_000

export const AssetUsage = Type.Object(
  {
    templates: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          slug: Type.String(),
          version: Type.Integer({ minimum: 1, description: 'The newest version of the template.' }),
          asset_version: Type.Integer({ minimum: 1, description: 'The version of the asset that it prints.' }),
        },
        { title: 'TemplateWithAsset' },
      ),
      { description: `The newest versions of templates that name the asset; at most ${maxListed}.` },
    ),
    style_sheets: Type.Array(Type.String(), { description: 'The assets that name it.' }),
    counts: Type.Object({ templates: Type.Integer(), style_sheets: Type.Integer() }, { title: 'AssetUsageCounts' }),
  },
  { title: 'AssetUsage' },
)
export type AssetUsage = Static<typeof AssetUsage>

interface Pinned {
  id: string
  slug: string
  version: number
  sha256: string
}

/** Who uses an asset. Inline HTML, and names that data makes, are not known. */
export function assetUsage(
  library: AssetLibrary,
  name: string,
  { pinned, versionOf }: { pinned: readonly Pinned[]; versionOf: (sha256: string) => number | undefined },
): AssetUsage {
  const style_sheets = library.names().filter((other) => library.find(other)?.references.includes(name))
  return {
    templates: pinned
      .slice(0, maxListed)
      .map(({ id, slug, version, sha256 }) => ({ id, slug, version, asset_version: versionOf(sha256) ?? 1 })),
    style_sheets: style_sheets.slice(0, maxListed),
    counts: { templates: pinned.length, style_sheets: style_sheets.length },
  }
}
