import type { OutputOptions } from '@platen/domain/document/output-options.ts'
import type { PdfOperation } from '@platen/domain/document/pdf-operation.ts'
import {
  AttachBody,
  ConvertBody,
  FillBody,
  FlattenBody,
  ImagesBody,
  MergeBody,
  MetadataBody,
  OptimizeBody,
  ProtectBody,
  RotateBody,
  SignBody,
  SplitBody,
  StampBody,
  UnlockBody,
} from '@platen/domain/generation/tool-requests.ts'
import { defined } from '@platen/foundation/json/defined.ts'
import type { Static, TObject } from 'typebox'

/** A route of `/v1/pdf`. */
export interface Tool {
  /** The last part of its path. */
  name: string
  operationId: string
  summary: string
  description: string
  body: TObject
  /** What is done to the sources, and the steps that it is. */
  plan: (body: never) => { operation: PdfOperation; steps?: OutputOptions }
}

function tool<Body extends TObject>({
  plan,
  ...described
}: Omit<Tool, 'plan' | 'body'> & { body: Body; plan: (body: Static<Body>) => ReturnType<Tool['plan']> }): Tool {
  return { ...described, plan: plan as Tool['plan'] }
}

const steps = (steps: OutputOptions) => ({ operation: { operation: 'steps' as const }, steps })

/** Each takes one PDF, but for `merge`, which takes several. */
export const tools: readonly Tool[] = [
  tool({
    name: 'merge',
    operationId: 'mergePdfs',
    summary: 'Merge PDFs',
    description:
      'Tags, links, outlines and form fields are kept. With `outline`, each PDF has an entry of the outline, and its own outline below it.',
    body: MergeBody,
    plan: ({ outline, titles }) => ({
      operation: { operation: 'merge', ...(outline && { outline }), ...defined({ titles }) },
    }),
  }),
  tool({
    name: 'split',
    operationId: 'splitPdf',
    summary: 'Split a PDF',
    description: 'The result is a ZIP file with the PDFs: one for each of `ranges`, or one for each `every` pages.',
    body: SplitBody,
    plan: ({ ranges, every }) => ({
      operation: { operation: 'split', ...defined({ ranges, every }) },
    }),
  }),
  tool({
    name: 'stamp',
    operationId: 'stampPdf',
    summary: 'Stamp the pages of a PDF',
    description: 'With texts, pictures or PDF pages, over or under the content of the pages.',
    body: StampBody,
    plan: ({ stamps }) => steps({ stamps }),
  }),
  tool({
    name: 'protect',
    operationId: 'protectPdf',
    summary: 'Encrypt a PDF',
    description: 'With AES-256, passwords and permissions.',
    body: ProtectBody,
    plan: ({ protect }) => steps({ protect }),
  }),
  tool({
    name: 'unlock',
    operationId: 'unlockPdf',
    summary: 'Remove the encryption of a PDF',
    description: 'The `password` of the source is needed, unless it opens without one.',
    body: UnlockBody,
    plan: () => ({ operation: { operation: 'unlock' } }),
  }),
  tool({
    name: 'attach',
    operationId: 'attachToPdf',
    summary: 'Attach files to a PDF',
    description: 'Files are assets, or are sent in the request.',
    body: AttachBody,
    plan: ({ attachments }) => steps({ attachments }),
  }),
  tool({
    name: 'metadata',
    operationId: 'setPdfMetadata',
    summary: 'Set the metadata of a PDF',
    description: 'In its document information and in its XMP. `metadata` of the request are your own references.',
    body: MetadataBody,
    plan: ({ pdf_metadata: metadata }) => steps({ metadata }),
  }),
  tool({
    name: 'flatten',
    operationId: 'flattenPdf',
    summary: 'Turn form fields into page content',
    description: 'They look as before, and cannot be edited.',
    body: FlattenBody,
    plan: () => ({ operation: { operation: 'flatten' } }),
  }),
  tool({
    name: 'rotate',
    operationId: 'rotatePdf',
    summary: 'Rotate pages of a PDF',
    description: 'Clockwise, in addition to the rotation that the pages have.',
    body: RotateBody,
    plan: ({ degrees, pages }) => ({
      operation: { operation: 'rotate', degrees, ...defined({ pages }) },
    }),
  }),
  tool({
    name: 'optimize',
    operationId: 'optimizePdf',
    summary: 'Make a PDF smaller',
    description: 'What is in it twice is stored once, and what nothing refers to is left out.',
    body: OptimizeBody,
    plan: () => ({ operation: { operation: 'optimize' } }),
  }),
  tool({
    name: 'images',
    operationId: 'drawPdfPages',
    summary: 'Draw the pages of a PDF',
    description: 'As PNG, JPEG or WebP. The result is the picture of one page, or a ZIP file with those of several.',
    body: ImagesBody,
    plan: ({ images }) => steps({ images }),
  }),
  tool({
    name: 'convert',
    operationId: 'convertPdf',
    summary: 'Make a PDF/A, a PDF/UA or an e-invoice',
    description: 'At least one of `conformance` and `e_invoice`. A rule that cannot be met is a 422 that names it.',
    body: ConvertBody,
    plan: ({ conformance, e_invoice }) => steps({ ...defined({ conformance, e_invoice }) }),
  }),
  tool({
    name: 'sign',
    operationId: 'signPdf',
    summary: 'Sign a PDF',
    description: 'With a key of the deployment. Signatures that the PDF has stay valid.',
    body: SignBody,
    plan: ({ sign }) => steps({ sign }),
  }),
  tool({
    name: 'fill',
    operationId: 'fillPdfForm',
    summary: 'Fill the form of a PDF',
    description: 'Fields of an AcroForm, by their full names. A field that the form does not have is a 422.',
    body: FillBody,
    plan: ({ fields, flatten }) => ({ operation: { operation: 'fill', fields, ...(flatten && { flatten }) } }),
  }),
]
