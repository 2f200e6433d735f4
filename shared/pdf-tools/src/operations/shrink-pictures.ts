import { inflateSync } from 'node:zlib'
import { PDFArray, type PDFContext, type PDFDict, PDFRawStream } from '@cantoo/pdf-lib'
import { encodePicture } from '../images/encode-picture.ts'
import { dictIn, isTrue, name, nameIn, numberIn, resolved } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'

/** The most pixels of a picture that is encoded again. */
const maxPixels = 50_000_000

/**
 * Encodes pictures as JPEG where that is smaller: those in RGB or grey of 8 bits that are stored without a loss (ISO 32000-2, 8.9.5).
 * Masks and transparency stay as they are.
 */
export async function shrinkPictures({ context }: OpenPdf, quality: number): Promise<void> {
  for (const [, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || nameIn(object.dict, 'Subtype') !== 'Image') continue
    const pixels = pixelsOf(context, object)
    if (!pixels) continue
    const jpeg = await encodePicture(pixels, 'jpeg', quality)
    if (jpeg.byteLength >= object.getContentsSize()) continue
    object.updateContents(jpeg)
    object.dict.set(name('Filter'), name('DCTDecode'))
    object.dict.set(name('ColorSpace'), name('DeviceRGB'))
    object.dict.delete(name('DecodeParms'))
  }
}

interface Pixels {
  width: number
  height: number
  /** RGBA. */
  pixels: Uint8Array
}

function pixelsOf(context: PDFContext, { dict, contents }: PDFRawStream): Pixels | undefined {
  const width = numberIn(dict, 'Width') ?? 0
  const height = numberIn(dict, 'Height') ?? 0
  const channels = channelsOf(context, dict)
  const isPlain = numberIn(dict, 'BitsPerComponent') === 8 && nameIn(dict, 'Filter') === 'FlateDecode'
  if (!isPlain || channels === undefined || isTrue(dict, 'ImageMask') || dict.has(name('Decode'))) return undefined
  if (dict.has(name('Mask')) || width < 1 || height < 1 || width * height > maxPixels) return undefined
  try {
    const size = width * height * channels
    const data = inflateSync(contents, { maxOutputLength: size + height + 1_024 })
    const samples = unpredicted(data, dictIn(dict, 'DecodeParms'), { width, height, channels })
    return samples && samples.byteLength >= size
      ? { width, height, pixels: toRgba(samples, width * height, channels) }
      : undefined
  } catch {
    return undefined
  }
}

/** 3 for RGB, 1 for grey. Other colour spaces are left alone. */
function channelsOf(context: PDFContext, dict: PDFDict): 1 | 3 | undefined {
  const space = nameIn(dict, 'ColorSpace')
  if (space === 'DeviceRGB') return 3
  if (space === 'DeviceGray') return 1
  const array = resolved(context, dict.get(name('ColorSpace')))
  if (!(array instanceof PDFArray) || array.get(0) !== name('ICCBased')) return undefined
  const profile = resolved(context, array.get(1))
  const count = profile instanceof PDFRawStream ? numberIn(profile.dict, 'N') : undefined
  return count === 1 || count === 3 ? count : undefined
}

/** Undoes the predictors of PNG (ISO 32000-2, 7.4.4.4). Undefined for others. */
function unpredicted(
  data: Uint8Array,
  parameters: PDFDict | undefined,
  { width, height, channels }: { width: number; height: number; channels: number },
): Uint8Array | undefined {
  const predictor = (parameters && numberIn(parameters, 'Predictor')) ?? 1
  if (predictor === 1) return data
  const isSame =
    parameters && numberIn(parameters, 'Columns') === width && (numberIn(parameters, 'Colors') ?? 1) === channels
  if (predictor < 10 || !isSame) return undefined
  const row = width * channels
  const out = new Uint8Array(row * height)
  for (let y = 0; y < height; y++) {
    const kind = data[y * (row + 1)] ?? 0
    for (let x = 0; x < row; x++) {
      const at = y * row + x
      const left = x >= channels ? (out[at - channels] ?? 0) : 0
      const up = y > 0 ? (out[at - row] ?? 0) : 0
      const corner = y > 0 && x >= channels ? (out[at - row - channels] ?? 0) : 0
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][kind] ?? 0
      out[at] = (data[y * (row + 1) + 1 + x] ?? 0) + added
    }
  }
  return out
}

/** PNG (third edition), 9.4. */
function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner
  const [toLeft, toUp, toCorner] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)]
  if (toLeft <= toUp && toLeft <= toCorner) return left
  return toUp <= toCorner ? up : corner
}

function toRgba(samples: Uint8Array, count: number, channels: 1 | 3): Uint8Array {
  const pixels = new Uint8Array(count * 4)
  for (let at = 0; at < count; at++) {
    for (let channel = 0; channel < 3; channel++) {
      pixels[at * 4 + channel] = samples[at * channels + (channels === 3 ? channel : 0)] ?? 0
    }
    pixels[at * 4 + 3] = 255
  }
  return pixels
}
