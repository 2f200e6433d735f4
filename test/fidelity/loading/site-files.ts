import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, extname, join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import type { SiteFile } from '../support/open-site.ts'
import { colours } from './loading-kind.ts'

// Any font that is not installed under the name which the documents give it.
const pdfjs = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'))
const font = await readFile(join(pdfjs, 'standard_fonts/LiberationSans-BoldItalic.ttf'))

const types: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
}

const texts: Record<string, string> = {
  'font.css': '@font-face { font-family: Web; src: url(font.ttf) } body { font-family: Web }',
  // The form that Google Fonts answers in.
  'css2.css': `@font-face { font-family: 'Web'; font-style: normal; font-weight: 400; font-display: swap;
    src: url(font.ttf) format('truetype'); unicode-range: U+0000-00FF, U+2000-206F }`,
  'import.css': '@import "font.css";',
  'background.css': 'div { background: url(green.png) }',
  'image-set.css': 'div { background: image-set("green.png" 1x, "blue.png" 2x) }',
  'mask.css': 'div { background: #00a000; -webkit-mask: url(blue.png); mask: url(blue.png) }',
  'border-image.css': 'div { border: 20px solid transparent; border-image: url(green.png) 10 }',
  'content.css': 'p::before { content: url(green.png) }',
  'list.css': 'ul { list-style-image: url(green.png) }',
  'page-background.css': '@page { background: url(green.png) }',
  'margin-box.css': '@page { @top-left { content: url(green.png) } }',
  'late.js': `document.querySelector('p').textContent = 'late'
    document.body.append(Object.assign(new Image(), { src: new URL('green.png', document.currentScript.src).href }))`,
  'module.js': `import { text } from './imported.js'
    document.querySelector('p').textContent = text
    document.body.append(Object.assign(new Image(), { src: new URL('green.png', import.meta.url).href }))`,
  'imported.js': `export const text = 'late'`,
  'frame.html': '<!doctype html><p>in the frame</p><img src="green.png">',
  'styled-frame.html': '<!doctype html><link rel=stylesheet href=font.css><p>in the frame</p>',
  'outer-frame.html': '<!doctype html><p>outer</p><iframe src="frame.html"></iframe>',
}

/** The files that the documents load: those above, `<colour>.png`, `<colour>.svg` and `font.ttf`. */
export function siteFile(name: string): SiteFile | undefined {
  const text = texts[name]
  const extension = extname(name)
  if (text !== undefined) return { type: types[extension] ?? '', body: text }
  if (name === 'font.ttf') return { type: 'font/ttf', body: font }
  const colour = Object.entries(colours).find(([colour]) => name === `${colour}${extension}`)?.[1]
  if (colour === undefined) return undefined
  return extension === '.png' ? { type: 'image/png', body: png(colour) } : { type: 'image/svg+xml', body: svg(colour) }
}

function png(colour: string): Uint8Array {
  const canvas = createCanvas(40, 40)
  const context = canvas.getContext('2d')
  context.fillStyle = colour
  context.fillRect(0, 0, 40, 40)
  return canvas.toBuffer('image/png')
}

function svg(colour: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect id="a" width="40" height="40" fill="${colour}"/></svg>`
}
