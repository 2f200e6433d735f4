import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A template of `examples/` as the API takes it, with the partials that it needs by name. */
export interface ExampleFile {
  template: Record<string, unknown>
  partials: Record<string, string>
}

/** Undefined for a folder that has no template, or one that needs assets. */
export async function readExampleFile(folder: string): Promise<ExampleFile | undefined> {
  const files = await readdir(folder).catch((): string[] => [])
  const needsAssets = files.includes('packages.json') || files.includes('assets')
  if (!files.includes('template.html') || needsAssets) return undefined
  const read = (file: string) => readFile(join(folder, file), 'utf8')
  const json = async (file: string) => (files.includes(file) ? JSON.parse(await read(file)) : undefined)
  const text = async (file: string) => (files.includes(file) ? await read(file) : undefined)
  const partials: Record<string, string> = {}
  for (const file of files.includes('partials') ? await readdir(join(folder, 'partials')) : []) {
    partials[basename(file, '.html')] = await read(join('partials', file))
  }
  const words = basename(folder).replaceAll('-', ' ')
  const template = {
    name: words.charAt(0).toUpperCase() + words.slice(1),
    html: await read('template.html'),
    sample_data: await json('data.json'),
    options: await json('options.json'),
    samples: await json('samples.json'),
    translations: await json('translations.json'),
    header_html: await text('header.html'),
    footer_html: await text('footer.html'),
  }
  return { template, partials }
}
