import { readFile } from 'node:fs/promises'
import type { BenchDocument } from './document.ts'
import { picture } from './png.ts'
import { randomNumbers } from './random.ts'
import { paragraph, phrase } from './words.ts'

const pages = 10
const font = '/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf'

/** Ten pages with pictures and a font in data: URLs, so that nothing is fetched. */
export async function report(): Promise<BenchDocument> {
  const random = randomNumbers(3)
  const face = (await readFile(font)).toString('base64')
  const pictures = [1, 2, 3, 4].map((seed) => picture(seed, 112, 64))
  const sections = Array.from({ length: pages }, (_, index) => {
    const paragraphs = Array.from({ length: 4 }, () => `<p>${paragraph(random, 7)}</p>`)
    const image = `<img src="${pictures[index % pictures.length]}" alt="${phrase(random, 3)}">`
    return `<section><h2>${index + 1}. ${phrase(random, 3)}</h2>${image}${paragraphs.join('')}</section>`
  })
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Report</title><style>
@font-face { font-family: Body; src: url(data:font/ttf;base64,${face}) }
body { font: 11pt/1.4 Body, serif; margin: 0 }
section { break-after: page }
section:last-child { break-after: auto }
img { width: 100%; height: 60mm }
</style></head><body>${sections.join('')}</body></html>`
  return { name: 'report', what: '10 pages, pictures and a font as data URIs', html, scripted: false }
}
