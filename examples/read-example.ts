import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { TemplateOptions, Translations } from '@platen/domain/template/template-content.ts'
import { JsonObject } from '@platen/foundation/json/json.ts'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** A folder of `examples/`: the fields of its template, and what the template refers to. */
export interface Example {
  template: ExampleTemplate
  /** HTML by name, from `partials/<name>.html`. */
  partials: Record<string, string>
  /** The bytes of each file of `assets/`, and of the packages in `packages.json`, by the name of the asset. */
  assets: Record<string, Uint8Array<ArrayBuffer>>
}

export interface ExampleTemplate {
  /** The name of the template, for example "Shipping label". Its slug is the name of the folder. */
  name: string
  slug: string
  html: string
  sample_data: JsonObject
  options: TemplateOptions
  /** More data, for example in other languages, by name. */
  samples?: Record<string, JsonObject>
  translations?: Translations
  header_html?: string
  footer_html?: string
}

export const exampleNames = [
  'invoice',
  'e-invoice',
  'quotation',
  'report',
  'dashboard',
  'paper',
  'letter',
  'certificate',
  'shipping-label',
  'product-sheet',
  'membership-form',
] as const
export type ExampleName = (typeof exampleNames)[number]

const sampleData = Compile(JsonObject)
const templateOptions = Compile(TemplateOptions)
const moreData = Compile(Type.Record(Type.String(), JsonObject))
const texts = Compile(Translations)
/** npm packages by name, each with the files and folders that the example uses. Folders end with a slash. */
const packages = Compile(Type.Record(Type.String(), Type.Array(Type.String())))

export async function readExample(slug: ExampleName): Promise<Example> {
  const folder = new URL(`./${slug}/`, import.meta.url)
  const files = await readdir(folder)
  const read = (file: string) => readFile(new URL(file, folder), 'utf8')
  const template = {
    name: nameOf(slug),
    slug,
    html: await read('template.html'),
    sample_data: sampleData.Parse(JSON.parse(await read('data.json'))),
    options: templateOptions.Parse(await optionsOf(files, read)),
    ...(files.includes('samples.json') && { samples: moreData.Parse(JSON.parse(await read('samples.json'))) }),
    ...(files.includes('translations.json') && {
      translations: texts.Parse(JSON.parse(await read('translations.json'))),
    }),
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
  if (files.includes('packages.json')) {
    for (const [name, paths] of Object.entries(packages.Parse(JSON.parse(await read('packages.json'))))) {
      Object.assign(assets, await readPackage(name, paths))
    }
  }
  return { template, partials, assets }
}

/** The options, with the XML of an e-invoice from `invoice.xml`. */
async function optionsOf(files: readonly string[], read: (file: string) => Promise<string>): Promise<unknown> {
  const options = JSON.parse(await read('options.json'))
  if (files.includes('invoice.xml')) options.output.e_invoice.xml = await read('invoice.xml')
  return options
}

/** The files of an installed package, named `<package>/<path>` as the guide on packages does. */
async function readPackage(name: string, paths: readonly string[]): Promise<Example['assets']> {
  const folder = packageFolders.map((url) => new URL(`${name}/`, url)).find((url) => existsSync(url))
  if (!folder) throw new Error(`The package ${name} is not installed: npm run examples installs it`)
  const assets: Example['assets'] = {}
  for (const path of paths) {
    const found = path.endsWith('/') ? (await readdir(new URL(path, folder))).map((file) => path + file) : [path]
    for (const file of found) assets[`${name}/${file}`] = new Uint8Array(await readFile(new URL(file, folder)))
  }
  return assets
}

/** Folders with the packages of tests, and with those that `npm run examples` installs. */
const packageFolders = ['../node_modules/', '../node_modules/.cache/examples/node_modules/'].map(
  (path) => new URL(path, import.meta.url),
)

async function filesOf(folder: URL, name: string): Promise<string[]> {
  const url = new URL(name, folder)
  return existsSync(url) ? await readdir(url) : []
}

function nameOf(slug: string): string {
  const words = slug.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
