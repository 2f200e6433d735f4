import type { AssetLibrary } from '@platen/domain/asset/asset-library.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { type Static, Type } from 'typebox'
import type { PinnedVersion } from '../views/template-pins.ts'

/** Items of a list of uses. The counts are complete. */
const maxListed = 1_000

export const AssetUsage = Type.Object(
  {
    templates: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          slug: Type.String(),
          version: Type.Integer({
            minimum: 1,
            description: 'A version of the template that has a label, or is the newest.',
          }),
          newest: Type.Boolean({ description: 'It is the newest version.' }),
          labels: Type.Array(Type.String(), { description: 'The labels of the version.' }),
          asset_version: Type.Integer({ minimum: 1, description: 'The version of the asset that it prints.' }),
        },
        { title: 'TemplateWithAsset' },
      ),
      { description: `The newest and the labelled versions of templates that name the asset; at most ${maxListed}.` },
    ),
    style_sheets: Type.Array(Type.String(), { description: 'The assets that name it.' }),
    counts: Type.Object({ templates: Type.Integer(), style_sheets: Type.Integer() }, { title: 'AssetUsageCounts' }),
  },
  { title: 'AssetUsage' },
)
export type AssetUsage = Static<typeof AssetUsage>

/** Templates and style sheets that use an asset. Inline HTML, and names that data makes, are not known. */
export function assetUsage(
  library: AssetLibrary,
  name: string,
  { pinned, versionOf }: { pinned: readonly PinnedVersion[]; versionOf: (sha256: string) => number | undefined },
): AssetUsage {
  const style_sheets = library.names().filter((other) => library.find(other)?.references.includes(name))
  return {
    templates: pinned
      .slice(0, maxListed)
      .map(({ pin, name: _, follows: __, ...template }) => ({ ...template, asset_version: versionOf(pin) ?? 1 })),
    style_sheets: style_sheets.slice(0, maxListed),
    counts: { templates: new Set(pinned.map(({ id }) => id)).size, style_sheets: style_sheets.length },
  }
}

/** Throws CONFLICT that names some of those who use the asset. */
export function refuseInUse(name: string, { templates, style_sheets, counts }: AssetUsage): void {
  if (counts.templates + counts.style_sheets === 0) return
  const slugs = [...new Set(templates.map(({ slug }) => slug))]
  const users = [
    ...(counts.templates > 0 ? [`${many(counts.templates, 'template')} (${some(slugs)})`] : []),
    ...(counts.style_sheets > 0 ? [`${many(counts.style_sheets, 'style sheet')} (${some(style_sheets)})`] : []),
  ]
  fail('CONFLICT', `Asset ${name} is used by ${users.join(' and ')}; with force=true it is deleted all the same`)
}

const maxNamed = 5

const many = (count: number, what: string) => (count === 1 ? `1 ${what}` : `${count} ${what}s`)

const some = (names: readonly string[]) =>
  [...names.slice(0, maxNamed), ...(names.length > maxNamed ? ['…'] : [])].join(', ')
