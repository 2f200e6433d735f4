import { randomBytes } from 'node:crypto'
import {
  PDFArray,
  PDFCatalog,
  PDFDict,
  PDFHexString,
  type PDFObject,
  PDFPageLeaf,
  PDFPageTree,
  type PDFRef,
  PDFSecurity,
  PDFStream,
} from '@cantoo/pdf-lib'
import type { ProtectStep } from '@platen/domain/document/output-options.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import { isString, name, nameIn } from '../pdf/entries.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { raiseVersion } from '../pdf/save-pdf.ts'

/**
 * Encrypts with AES-256 (ISO 32000-2, 7.6.4, revision 6) when the PDF is saved. Without an owner password it gets a random
 * one, as an empty one would lift all restrictions. Assistive software may always read the text.
 */
export function protect({ context }: OpenPdf, step: ProtectStep): void {
  const { user_password: userPassword, owner_password: ownerPassword = randomBytes(32).toString('hex') } = step
  const { print, extract, modify, annotate, fill_forms: fill, assemble } = { ...everything, ...step.permissions }
  const security = PDFSecurity.create(context, {
    algorithm: 'AES-256',
    ownerPassword,
    ...defined({ userPassword }),
    permissions: {
      ...(print && { printing: 'highResolution' as const }),
      copying: extract,
      modifying: modify,
      annotating: annotate,
      fillingForms: fill,
      documentAssembly: assemble,
      contentAccessibility: true,
    },
  })
  raiseVersion(context, [1, 7])
  const encrypt = security.getEncryptFn(0, 0)
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (isWrittenAlone(ref, object)) encryptStrings(object, encrypt)
  }
  security.encrypt()
  context.security = security
}

const everything = { print: true, extract: true, modify: true, annotate: true, fill_forms: true, assemble: true }

/**
 * Whether the library writes an object outside of the object streams, which are encrypted as a whole. It encrypts the data
 * of streams, but no strings.
 */
function isWrittenAlone(ref: PDFRef, object: PDFObject): boolean {
  if (object instanceof PDFStream || object instanceof PDFCatalog || ref.generationNumber !== 0) return true
  if (object instanceof PDFPageTree || object instanceof PDFPageLeaf) return true
  return object instanceof PDFDict && nameIn(object, 'Type') === 'Sig'
}

function encryptStrings(top: PDFObject, encrypt: (bytes: Uint8Array) => Uint8Array): void {
  const encrypted = (value: PDFObject) => {
    if (isString(value)) return PDFHexString.of(Buffer.from(encrypt(value.asBytes())).toString('hex'))
    encryptStrings(value, encrypt)
    return value
  }
  const dict = top instanceof PDFStream ? top.dict : top
  if (dict instanceof PDFDict) {
    const isSignature = nameIn(dict, 'Type') === 'Sig'
    for (const [key, value] of dict.entries()) {
      // The signature itself is not encrypted (ISO 32000-2, 7.6.2).
      if (!(isSignature && key === name('Contents'))) dict.set(key, encrypted(value))
    }
  } else if (dict instanceof PDFArray) {
    for (const [index, item] of dict.asArray().entries()) dict.set(index, encrypted(item))
  }
}
