import type { Screenshot } from '@platen/domain/generation/document-source.ts'
import { refuse } from '../answers/refused.ts'
import type { Form } from '../form/form.ts'
import { parseInteger } from '../form/parse-values.ts'

const formats = ['png', 'jpeg', 'webp'] as const
const maxSide = 16_384

/** Fields of a screenshot. The background is left out by a field of all routes. */
export function readScreenshotFields(form: Form): Omit<Screenshot, 'omit_background'> {
  const width = form.integer('width', 800)
  const height = form.integer('height', 600)
  const clip = form.bool('clip', false)
  const selector = form.text('selector')
  const format = form.parsed<Screenshot['format']>('format', 'png', (text) => {
    const found = formats.find((format) => format === text)
    if (found) return found
    throw new Error("wrong value, expected either 'png', 'jpeg' or 'webp'")
  })
  const quality = form.parsed('quality', 100, (text) => {
    const value = parseInteger(text)
    if (value < 0) throw new Error('value is negative')
    if (value > 100) throw new Error('value is superior to 100')
    return value
  })
  const optimize_for_speed = form.bool('optimizeForSpeed', false)
  const device_scale_factor = form.number('deviceScaleFactor', 1)
  return {
    format,
    width,
    height,
    quality,
    ...(clip && { clip }),
    ...(selector !== '' && { selector }),
    ...(optimize_for_speed && { optimize_for_speed }),
    ...(device_scale_factor !== 1 && { device_scale_factor }),
  }
}

/** Answers 400 for sizes that no window has. */
export function checkScreenshot({ width, height, device_scale_factor: factor = 1 }: Screenshot): void {
  const isSide = (pixels: number) => pixels >= 1 && pixels <= maxSide
  if (isSide(width) && isSide(height) && factor > 0 && factor <= 10) return
  refuse(400, 'Chromium does not handle the provided settings; please check for aberrant form values')
}
