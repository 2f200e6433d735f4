import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** What is used of the exports of HarfBuzz (https://harfbuzz.github.io/harfbuzz-hb-subset.html). Numbers are addresses. */
interface Subsetter {
  memory: { buffer: ArrayBuffer }
  _initialize(): void
  malloc(bytes: number): number
  free(address: number): void
  hb_blob_create(data: number, length: number, mode: number, context: number, destroy: number): number
  hb_blob_destroy(blob: number): void
  hb_blob_get_data(blob: number, length: number): number
  hb_blob_get_length(blob: number): number
  hb_face_create(blob: number, index: number): number
  hb_face_destroy(face: number): void
  hb_face_reference_blob(face: number): number
  hb_set_add(set: number, value: number): void
  hb_subset_input_create_or_fail(): number
  hb_subset_input_destroy(input: number): void
  hb_subset_input_glyph_set(input: number): number
  hb_subset_input_set(input: number, kind: number): number
  hb_subset_input_set_flags(input: number, flags: number): void
  hb_subset_or_fail(face: number, input: number): number
}

/** The types of Node.js have the types of WebAssembly and no values. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: Subsetter }
}

const program = fileURLToPath(import.meta.resolve('harfbuzzjs/dist/harfbuzz-subset.wasm'))
let compiled: object | undefined

const writable = 2
const dropTables = 3
const flags = { noHinting: 1, retainGlyphIds: 2, notdefOutline: 0x40, noLayoutClosure: 0x200 }
/** Tables that a PDF does not use: glyphs are chosen and placed before. */
const unused = ['GSUB', 'GPOS', 'GDEF', 'BASE', 'JSTF', 'kern', 'DSIG', 'STAT', 'meta', 'VORG', 'vhea', 'vmtx']

/** The font with these glyphs alone, under the numbers that they had. Throws if the font cannot be read. */
export function subsetFont(font: Uint8Array, index: number, glyphs: readonly number[]): Uint8Array {
  compiled ??= new WebAssembly.Module(readFileSync(program))
  // An instance of its own for each font, whose memory is freed with it.
  const hb = new WebAssembly.Instance(compiled, {}).exports
  hb._initialize()
  const data = hb.malloc(font.byteLength)
  new Uint8Array(hb.memory.buffer, data, font.byteLength).set(font)
  const face = hb.hb_face_create(hb.hb_blob_create(data, font.byteLength, writable, 0, 0), index)
  const input = hb.hb_subset_input_create_or_fail()
  if (input === 0) throw new Error('there is no memory for the font')
  const { noHinting, retainGlyphIds, notdefOutline, noLayoutClosure } = flags
  hb.hb_subset_input_set_flags(input, noHinting | retainGlyphIds | notdefOutline | noLayoutClosure)
  const kept = hb.hb_subset_input_glyph_set(input)
  for (const glyph of glyphs) hb.hb_set_add(kept, glyph)
  const dropped = hb.hb_subset_input_set(input, dropTables)
  for (const table of unused) hb.hb_set_add(dropped, Buffer.from(table).readUInt32BE())
  const subset = hb.hb_subset_or_fail(face, input)
  if (subset === 0) throw new Error('the font cannot be subset')
  const blob = hb.hb_face_reference_blob(subset)
  const length = hb.hb_blob_get_length(blob)
  return new Uint8Array(hb.memory.buffer, hb.hb_blob_get_data(blob, 0), length).slice()
}
