import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { type PDFDict, PDFHexString, type PDFObject } from '@cantoo/pdf-lib'
import type { Attachment } from '@platen/domain/document/output-options.ts'
import { arrayIn, bytesOf, dictIn, itemsOf, name, textString } from '../pdf/entries.ts'
import { fileNamed } from '../pdf/inputs.ts'
import type { OpenPdf } from '../pdf/open-pdf.ts'
import { arrayOf, readNameTree, writeNameTree } from '../pdf/trees.ts'
import { refuse } from '../task/pdf-tool-failed.ts'

/** AFRelationship (ISO 32000-2, table 43). */
const relationships = {
  source: 'Source',
  data: 'Data',
  alternative: 'Alternative',
  supplement: 'Supplement',
  unspecified: 'Unspecified',
} as const

/** Adds files to the PDF (ISO 32000-2, 7.11.4), associated with it (14.13). One with the name of another replaces it. */
export function attach(
  { context, catalog }: OpenPdf,
  attachments: readonly Attachment[],
  files: Readonly<Record<string, Uint8Array>>,
): void {
  const names = dictIn(catalog, 'Names') ?? context.obj({})
  const embedded = readNameTree(context, names.get(name('EmbeddedFiles')))
  const associated = itemsOf(arrayIn(catalog, 'AF'))
  for (const attachment of attachments) {
    const key = bytesOf(textString(attachment.name))
    const replaced = embedded.get(key)
    const ref = context.register(fileSpecification(context, attachment, contentOf(attachment, files)))
    embedded.set(key, ref)
    const at = replaced ? associated.indexOf(replaced) : -1
    if (at >= 0) associated[at] = ref
    else associated.push(ref)
  }
  const tree = writeNameTree(context, embedded)
  if (tree) names.set(name('EmbeddedFiles'), tree)
  catalog.set(name('Names'), names)
  catalog.set(name('AF'), arrayOf(context, associated))
}

function contentOf(
  { name: file, asset, content_base64: content }: Attachment,
  files: Readonly<Record<string, Uint8Array>>,
) {
  if (asset !== undefined) return fileNamed(files, asset)
  return Buffer.from(content ?? refuse('invalid', `The attachment ${JSON.stringify(file)} has no content`), 'base64')
}

function fileSpecification(context: OpenPdf['context'], attachment: Attachment, bytes: Uint8Array): PDFDict {
  const { name: file, media_type: type, description, relationship = 'unspecified' } = attachment
  const checksum = createHash('md5').update(bytes).digest('hex')
  const stream = context.stream(deflateSync(bytes), { Type: 'EmbeddedFile', Subtype: type, Filter: 'FlateDecode' })
  stream.dict.set(name('Params'), context.obj({ Size: bytes.byteLength, CheckSum: PDFHexString.of(checksum) }))
  const ref = context.register(stream)
  const entries: Record<string, PDFObject> = {
    F: textString(file),
    UF: textString(file),
    EF: context.obj({ F: ref, UF: ref }),
    AFRelationship: name(relationships[relationship]),
  }
  const specification = context.obj({ Type: 'Filespec' })
  for (const [key, value] of Object.entries(entries)) specification.set(name(key), value)
  if (description !== undefined) specification.set(name('Desc'), textString(description))
  return specification
}
