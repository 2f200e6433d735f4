import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { TemplateOptions } from '@platen/domain/template/template-content.ts'
import { JsonObject } from '@platen/foundation/json/json.ts'
import { Compile } from 'typebox/compile'

/** A folder of `examples/`: the fields of its template, and what the template refers to. */
export interface Example {
  template: ExampleTemplate
  /** HTML by name, from `partials/<name>.html`. */
  partials: Record<string, string>
  /** The bytes of each file of `assets/`, by its name. */
  assets: Record<string, Uint8Array<ArrayBuffer>>
}

export interface ExampleTemplate {
  /** For example "Shipping label". The slug is the name of the folder. */
  name: string
  slug: string
  html: string
  sample_data: JsonObject
  options: TemplateOptions
  header_html?: string
  footer_html?: string
}

export const exampleNames = ['invoice', 'report', 'letter', 'certificate', 'shipping-label', 'product-sheet'] as const
export type ExampleName = (typeof exampleNames)[number]

const sampleData = Compile(JsonObject)
const templateOptions = Compile(TemplateOptions)

export async function readExample(slug: ExampleName): Promise<Example> {
  const folder = new URL(`./${slug}/`, import.meta.url)
  const files = await readdir(folder)
  const read = (file: string) => readFile(new URL(file, folder), 'utf8')
  const template = {
    name: nameOf(slug),
    slug,
    html: await read('template.html'),
    sample_data: sampleData.Parse(JSON.parse(await read('data.json'))),
    options: templateOptions.Parse(JSON.parse(await read('options.json'))),
    ...(files.includes('header.html') && { header_html: await read('header.html') }),
    ...(files.includes('footer.html') && { footer_html: await read('footer.html') }),
  }
  const partials: Record<string, string> = {}
  for (const file of await filesOf(folder, 'partials')) {
    partials[file.replace(/\.html$/, '')] = await read(`partials/${file}`)
  }
  const assets: Example['assets'] = {}
  for (const file of await filesOf(folder, 'assets')) {
    assets[file] = new Uint8Array(await readFile(new URL(`assets/${file}`, folder)))
  }
  return { template, partials, assets }
}

async function filesOf(folder: URL, name: string): Promise<string[]> {
  const url = new URL(name, folder)
  return existsSync(url) ? await readdir(url) : []
}

function nameOf(slug: string): string {
  const words = slug.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
