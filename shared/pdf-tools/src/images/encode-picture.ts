import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js'
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js'
import { type Drawn, encodePng } from './encode-png.ts'

export type PictureFormat = 'png' | 'jpeg' | 'webp'

/** The types of Node.js have no WebAssembly. */
declare const WebAssembly: { Module: new (bytes: Uint8Array) => never }

const moduleOf = (specifier: string) =>
  new WebAssembly.Module(readFileSync(fileURLToPath(import.meta.resolve(specifier))))

/** 0 to 100. Text keeps its edges. */
const usualQuality = 90

const ready: Partial<Record<PictureFormat, Promise<unknown>>> = {}

/** Encodes opaque pixels. The encoders are loaded when they are first used. */
export async function encodePicture(drawn: Drawn, format: PictureFormat, quality = usualQuality): Promise<Uint8Array> {
  if (format === 'png') return encodePng(drawn)
  const { width, height, pixels } = drawn
  const data = new Uint8ClampedArray(pixels.buffer, pixels.byteOffset, pixels.byteLength)
  const image = { width, height, data, colorSpace: 'srgb' } as Parameters<typeof encodeJpeg>[0]
  if (format === 'jpeg') {
    ready.jpeg ??= initJpeg(moduleOf('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
    await ready.jpeg
    return new Uint8Array(await encodeJpeg(image, { quality }))
  }
  ready.webp ??= initWebp(moduleOf('@jsquash/webp/codec/enc/webp_enc.wasm'))
  await ready.webp
  return new Uint8Array(await encodeWebp(image, { quality }))
}
