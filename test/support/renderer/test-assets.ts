import { createHash } from 'node:crypto'
import { readSheetSchemes, withUrls } from '@platen/renderer/inspect/asset-urls.ts'
import type { JobAssets } from '@platen/renderer/print/assets/job-assets.ts'

/** Files by name. */
export type AssetFiles = Record<string, [type: string, content: Buffer, references?: string[]]>

/** Assets as a renderer gives them to its printer, without stores. */
export function testAssets(files: AssetFiles): JobAssets & { asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    async find(name) {
      asked.push(name)
      const file = Object.hasOwn(files, name) ? files[name] : undefined
      if (!file) return undefined
      const [type, content, references = []] = file
      const sha256 = createHash('sha256').update(content).digest('hex')
      return { name, sha256, object: '0123456789abcdef', type, bytes: content.length, references }
    },
    pictureReferences: () => new Map(),
    async read({ name }) {
      const [type, content] = files[name] ?? ['', Buffer.alloc(0)]
      const text = type === 'text/css' ? readSheetSchemes(content.toString()) : undefined
      const root = '../'.repeat(name.split('/').length - 1)
      return { type, bytes: text ? Buffer.from(withUrls(text, ({ asset, suffix }) => root + asset + suffix)) : content }
    },
  }
}
