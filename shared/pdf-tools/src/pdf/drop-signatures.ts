import { PDFDict } from '@cantoo/pdf-lib'
import { arrayIn, dictIn, itemsOf, name, nameIn, resolved } from './entries.ts'
import type { OpenPdf } from './open-pdf.ts'

/** What is lost of a signed PDF that is written anew. */
export const signaturesLost = 'Signatures are left out: they do not hold for another file'

/** Removes the signature of a field, if it has one (ISO 32000-2, 12.7.5.5). */
export function dropSignature(field: PDFDict): boolean {
  const isSigned = field.has(name('V')) && (nameIn(field, 'FT') === 'Sig' || dictIn(field, 'V')?.has(name('ByteRange')))
  return isSigned === true && field.delete(name('V'))
}

/** Removes all signatures, and what they permit, forbid and are checked with. Returns a warning if there were some. */
export function dropSignatures({ context, catalog }: OpenPdf): string[] {
  const form = dictIn(catalog, 'AcroForm')
  const fields = form ? itemsOf(arrayIn(form, 'Fields')).map((field) => resolved(context, field)) : []
  const objects = context.enumerateIndirectObjects().map(([, object]) => object)
  const dropped = [...fields, ...objects].filter((object) => object instanceof PDFDict && dropSignature(object))
  if (dropped.length === 0) return []
  form?.delete(name('SigFlags'))
  for (const key of ['Perms', 'DSS']) catalog.delete(name(key))
  return [signaturesLost]
}
