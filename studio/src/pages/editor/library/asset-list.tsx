import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../../parts/button.tsx'
import { formatBytes } from '../../../parts/format.ts'
import { Icon } from '../../../parts/icon.tsx'
import type { Inserter } from '../code/inserter.ts'
import { type Asset, contentUrl, type Library } from '../model/library.ts'
import { uploadFiles } from './upload.ts'

interface AssetListProps {
  library: Library
  inserter: Inserter
  mayWrite: boolean
}

/** The pictures, fonts, style sheets and scripts. A click writes at the cursor what uses it. */
export function AssetList({ library, inserter, mayWrite }: AssetListProps) {
  const input = useRef<HTMLInputElement>(null)
  const assets = library.assets.value
  const upload = async (files: FileList | null) => {
    await uploadFiles([...(files ?? [])], library)
    if (input.current !== null) input.current.value = ''
  }
  return (
    <div class="editor-library">
      {assets.length === 0 && <p class="editor-none">No assets yet. Drop pictures and fonts here.</p>}
      <ul class="editor-assets">
        {assets.map((asset) => (
          <li key={asset.name}>
            <button
              type="button"
              class="option"
              title={`Insert ${asset.name}`}
              onClick={() => inserter.insert(...markupOf(asset))}
            >
              <Thumbnail asset={asset} />
              <span>{asset.name}</span>
              <small>{formatBytes(asset.bytes)}</small>
            </button>
          </li>
        ))}
      </ul>
      {mayWrite && (
        <div class="editor-upload">
          <Button icon="upload" onClick={() => input.current?.click()}>
            Upload
          </Button>
          <small>or drop files on the editor</small>
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label="Files to upload"
            onChange={({ currentTarget }) => void upload(currentTarget.files)}
          />
        </div>
      )}
    </div>
  )
}

function Thumbnail({ asset }: { asset: Asset }) {
  // A picture is no document: an SVG in it runs no scripts and loads nothing.
  if (asset.type.startsWith('image/')) return <img src={contentUrl(asset)} alt="" loading="lazy" decoding="async" />
  if (asset.type.startsWith('font/')) return <FontSample asset={asset} />
  return <Icon name="braces" />
}

function FontSample({ asset }: { asset: Asset }) {
  const family = `asset-${asset.sha256.slice(0, 16)}`
  const isLoaded = useSignal(false)
  useEffect(() => {
    const face = new FontFace(family, `url("${contentUrl(asset)}")`)
    document.fonts.add(face)
    face.load().then(
      () => {
        isLoaded.value = true
      },
      () => {},
    )
    return () => {
      document.fonts.delete(face)
    }
  }, [family])
  if (!isLoaded.value) return <Icon name="type" />
  return (
    <b class="editor-font" style={{ fontFamily: family }} aria-hidden="true">
      Ag
    </b>
  )
}

/** What uses the asset in a template, and in a style sheet. A picture without a size may be as wide as the page. */
function markupOf({ name, type }: Asset): [html: string, css?: string] {
  if (type.startsWith('image/'))
    return [`<img src="asset:${name}" alt="" style="height: 15mm">`, `url("asset:${name}")`]
  if (type === 'text/css') return [`<link rel="stylesheet" href="asset:${name}">`, `@import "asset:${name}";`]
  if (type === 'text/javascript') return [`<script src="asset:${name}"></script>`]
  const family = name.replace(/^.*\//, '').replace(/\.\w+$/, '')
  const rules = [
    `@font-face { font-family: "${family}"; src: url("asset:${name}") }`,
    `body { font-family: "${family}", sans-serif }`,
  ]
  return [`<style>\n  ${rules.join('\n  ')}\n</style>`, rules.join('\n')]
}
