import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'
import type { BenchDocument } from './document.ts'
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

/** A PNG (ISO/IEC 15948) with gradients and some noise, which compresses about as well as a photograph. */
function picture(seed: number, width: number, height: number): string {
  const random = randomNumbers(seed)
  const rows = Buffer.alloc(height * (1 + width * 3))
  let at = 0
  for (let y = 0; y < height; y++) {
    rows[at++] = 0
    for (let x = 0; x < width; x++) {
      const noise = random() * 6
      rows[at++] = (x * 255) / width + noise
      rows[at++] = (y * 255) / height + noise
      rows[at++] = 128 + 100 * Math.sin((x + y * seed) / 40)
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return `data:image/png;base64,${Buffer.concat([signature, ...chunks]).toString('base64')}`
}

function chunk(type: string, body: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, checksum])
}
