import { PDFDict, PDFString } from '@cantoo/pdf-lib'
import type { MetadataStep } from '@platen/domain/document/output-options.ts'
import { name, resolved, textString } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { writeXmp } from '../pdf/xmp.ts'

/** Replaces the fields that are given, in the document information (ISO 32000-2, 14.3.3), and writes all of it as XMP. */
export function setMetadata({ context, catalog }: OpenPdf, metadata: MetadataStep): void {
  const { title, author, subject, keywords, creator, custom = {}, created_at: createdAt } = metadata
  const found = resolved(context, context.trailerInfo.Info)
  const info = found instanceof PDFDict ? found : context.obj({})
  if (info !== found) context.trailerInfo.Info = context.register(info)
  const standard = { Title: title, Author: author, Subject: subject, Keywords: keywords?.join(', '), Creator: creator }
  // Names of the standard are not taken by custom fields.
  for (const [key, value] of Object.entries({ ...custom, ...standard })) {
    if (value !== undefined) info.set(name(key), textString(value))
  }
  if (createdAt !== undefined) info.set(name('CreationDate'), PDFString.fromDate(new Date(createdAt)))
  writeXmp(catalog, info)
}
