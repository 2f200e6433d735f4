import { readFile } from 'node:fs/promises'
import { type CompletedGeneration, type Platen, unwrap } from '@platen/client'
import { JsonObject } from '@platen/foundation/json/json.ts'
import { Compile } from 'typebox/compile'
import { storePartial, storeTemplate } from './store-example.ts'

const folder = new URL('./board-report/', import.meta.url)
const read = (file: string) => readFile(new URL(file, folder), 'utf8')

/** The templates of the report after its contents page, in order. */
const parts = [
  { name: 'review', title: 'The year in review', about: 'Passengers and fleet' },
  { name: 'accounts', title: 'Accounts', about: 'Income and expenses beside the budget' },
  { name: 'plan', title: 'Plan', about: 'Decisions asked of the board' },
]
const slugOf = (name: string) => `board-report-${name}`

/** Stores the templates of the report: one for each part, and one for the contents page. */
export async function storeBoardReport(platen: Platen): Promise<JsonObject> {
  const data = Compile(JsonObject).Parse(JSON.parse(await read('data.json')))
  await storePartial(platen, slugOf('style'), await read('style.html'))
  for (const name of ['contents', ...parts.map((part) => part.name)]) {
    const slug = slugOf(name)
    const title = `Board report, ${name}`
    await storeTemplate(platen, {
      slug,
      name: title,
      html: await read(`${name}.html`),
      sample_data: data,
      options: { outline: true },
    })
  }
  return data
}

/** Prints each part, then the contents page with the numbers of their first pages, and merges all of them. */
export async function printBoardReport(platen: Platen, data: JsonObject): Promise<CompletedGeneration> {
  const print = (name: string, more: JsonObject = {}) =>
    platen.generate({ template: slugOf(name), data: { ...data, ...more } })
  const printed = await Promise.all(parts.map(({ name }) => print(name)))
  const contentsWith = (ownPages: number) => {
    let page = ownPages + 1
    const entries = parts.map(({ title, about }, index) => {
      const entry = { title, about, page }
      page += printed[index]?.pages ?? 0
      return entry
    })
    return print('contents', { parts: entries })
  }
  // The parts begin after the contents page, which may itself need more pages than one.
  let contents = await contentsWith(1)
  if (contents.pages !== 1) contents = await contentsWith(contents.pages)
  const merged = await unwrap(
    platen.api.POST('/v1/pdf/merge', {
      body: {
        sources: [contents, ...printed].map(({ id }) => ({ generation: id })),
        outline: true,
        titles: ['Contents', ...parts.map(({ title }) => title)],
        output: {
          stamps: [
            { text: '{{page}}', pages: '2-', position: 'bottom-right', x: -24, y: -14, font_size: 9, color: '#6d7a83' },
          ],
          metadata: { title: String(data.title), author: String(data.organisation) },
        },
        file_name: 'Board report',
      },
    }),
  )
  return platen.waitFor(merged)
}
