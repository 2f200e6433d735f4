import type { Form } from '../form/form.ts'
import { checkFacturX, checkWork } from './check-work.ts'
import {
  bindFiles,
  type PdfWork,
  readEmbeds,
  readEncryption,
  readFacturX,
  readFormats,
  readMetadata,
  readOptimization,
  readRotation,
  readStamps,
} from './pdf-fields.ts'

/** Stamps and watermarks of a form; their files are bound when the fields were checked. */
function readDrawings(form: Form) {
  const watermarks = readStamps(form, 'watermark')
  const stamps = readStamps(form, 'stamp')
  return () => ({
    ...(watermarks.length > 0 && { watermarks: bindFiles(form, 'watermark', watermarks) }),
    ...(stamps.length > 0 && { stamps: bindFiles(form, 'stamp', stamps) }),
  })
}

/** What is done to the PDFs of conversions, and of `merge` and `split`, beside their own fields. To be called when the form was checked. */
export function readWork(form: Form) {
  const formats = readFormats(form)
  const metadata = readMetadata(form)
  const { isRestricted, ...encryption } = readEncryption(form)
  const drawings = readDrawings(form)
  const rotation = readRotation(form)
  const flatten = form.bool('flatten', false)
  const optimization = readOptimization(form)
  const embeds = readEmbeds(form)
  const invoice = readFacturX(form)
  return (): PdfWork => {
    const work: PdfWork = {
      ...drawings(),
      ...rotation,
      ...(flatten && { flatten: true as const }),
      ...optimization,
      ...formats,
      ...metadata,
      ...embeds,
      ...encryption,
    }
    checkWork(work, { isRestricted })
    const facturX = checkFacturX(invoice.facturX, work)
    return facturX ? { ...work, facturX } : work
  }
}
