import { type Entity, nameOf } from './read-export.ts'
import { bytesOf, literal, quoted, type References, type Source } from './source.ts'

const tag = String.raw`\{#asset (?<tag>[^{}]{0,500})\}`
const call = String.raw`\{\{\{?\s*asset\s+(?<path>${quoted}|[^\s}"']+)(?:\s+(?<encoding>${quoted}))?\s*\}?\}\}`
/** A `data:` URL up to its content. */
const dataUrl = String.raw`(?<url>data:[\w/+.;=-]{0,100}base64,\s*)?`

/** `{#asset logo.png @encoding=dataURI}`, and in Handlebars `{{asset "logo.png" "dataURI"}}`, too. */
const patterns = {
  handlebars: new RegExp(`${dataUrl}(?:${tag}|${call})`, 'g'),
  others: new RegExp(`${dataUrl}${tag}`, 'g'),
} as const

/** Elements whose whole content is an asset. */
const elements = [
  {
    pattern: (engine: Source['engine']) => whole('style', engine),
    // References of style sheets are translated.
    extension: /\.css$/i,
    isDynamic: /\{\{/,
    html: (url: string) => `<link rel="stylesheet" href="${url}">`,
  },
  {
    pattern: (engine: Source['engine']) => whole('script', engine),
    extension: /\.m?js$/i,
    isDynamic: /\{\{|\{#/,
    html: (url: string) => `<script src="${url}"></script>`,
  },
] as const

function whole(element: string, engine: Source['engine']): RegExp {
  const inside = engine === 'handlebars' ? `(?:${tag}|${call})` : tag
  return new RegExp(String.raw`<${element}(?:\s[^<>]*)?>\s*${inside}\s*</${element}>`, 'gi')
}

/** Replaces the text of assets with their URLs, or with partials that have their text. */
export function translateAssets(text: string, source: Source, references: References): string {
  let translated = text
  for (const { pattern, extension, isDynamic, html } of source.engine === 'css' ? [] : elements) {
    translated = translated.replace(pattern(source.engine), (...match) => {
      const { path, encoding } = readUse(match)
      const asset = path === undefined ? undefined : references.exported.find('assets', path, source.folder)
      const isFile =
        asset && encoding === 'utf8' && extension.test(asset.name) && !isDynamic.test(bytesOf(asset).toString())
      const url = isFile ? references.assetUrl(asset) : undefined
      return url === undefined ? match[0] : html(url)
    })
  }
  const pattern = source.engine === 'handlebars' ? patterns.handlebars : patterns.others
  return translated.replace(pattern, (...match) => replaceUse(readUse(match), source, references))
}

interface AssetUse {
  matched: string
  /** Undefined if the data have it. */
  path: string | undefined
  argument: string
  encoding: string
}

function readUse(match: readonly unknown[]): AssetUse {
  const groups = match.at(-1) as Record<'tag' | 'path' | 'encoding' | 'url', string | undefined>
  const [path = '', parameter = ''] = groups.tag?.split(' @') ?? []
  const given = groups.tag === undefined ? literal(groups.encoding ?? '') : /^encoding=(\w+)/.exec(parameter)?.[1]
  return {
    matched: String(match[0]),
    path: groups.tag === undefined ? literal(groups.path ?? '') : path.trim(),
    argument: groups.path ?? '',
    encoding: groups.url === undefined ? (given ?? 'utf8') : 'dataURI',
  }
}

function replaceUse({ matched, path, argument, encoding }: AssetUse, source: Source, references: References): string {
  const { exported, remarks } = references
  const isUrl = encoding === 'dataURI' || encoding === 'link'
  if (path === undefined && isUrl) return `${references.assetPrefix}{{${argument}}}`
  const asset = path === undefined ? undefined : exported.find('assets', path, source.folder)
  if (!asset) {
    const reason = path === undefined ? `the data say which asset is printed: ${argument}` : `there is no asset ${path}`
    remarks.left(source.entity, reason)
    return matched
  }
  const isText = encoding === 'utf8' && source.engine !== 'css'
  const translated = isUrl ? references.assetUrl(asset) : isText ? partialCall(asset, references) : undefined
  if (translated === undefined) remarks.left(source.entity, `the asset ${nameOf(asset)} is used as ${encoding}`)
  return translated ?? matched
}

const partialCall = (asset: Entity, references: References) => `{{> ${references.partialOf(asset)}}}`
