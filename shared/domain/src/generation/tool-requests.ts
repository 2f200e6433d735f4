import { fieldRules, statedRules } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { assetNamePattern, maxNameLength } from '../asset/asset-name.ts'
import {
  Attachments,
  ConformanceStep,
  EInvoiceStep,
  ImagesStep,
  MetadataStep,
  OutputOptions,
  ProtectStep,
  SignStep,
  Stamps,
} from '../document/output-options.ts'
import { fillFields, rotateFields, splitFields } from '../document/pdf-operation.ts'
import { GenerateBody } from './generation.ts'

// The bodies of `POST /v1/pdf/<operation>`.

/** Exactly one of `generation`, `asset` and `content_base64` is set. */
export const PdfSource = Type.Object(
  {
    generation: Type.Optional(
      Type.String({
        maxLength: 30,
        description: 'the id of a completed generation; needs the scope generations:read',
        examples: ['pdf_01k9x2v7w3d5e8f0g2h4j6k8m0'],
      }),
    ),
    asset: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxNameLength,
        [statedRules]: { pattern: assetNamePattern },
        description: 'the name of a PDF asset',
        examples: ['terms.pdf'],
      }),
    ),
    content_base64: Type.Optional(
      Type.String({
        minLength: 1,
        [statedRules]: { pattern: '^[A-Za-z0-9+/]*={0,2}$' },
        description: 'a PDF in Base64; store a large one as an asset',
      }),
    ),
    password: Type.Optional(
      Type.String({ maxLength: 127, description: 'the user or the owner password of an encrypted PDF' }),
    ),
  },
  {
    title: 'PdfSource',
    additionalProperties: false,
    [statedRules]: fieldRules({
      oneOf: [{ required: ['generation'] }, { required: ['asset'] }, { required: ['content_base64'] }],
    }),
    description: 'a PDF; exactly one of generation, asset and content_base64',
  },
)
export type PdfSource = Static<typeof PdfSource>

/** The most PDFs of one merge. */
export const maxSources = 1_000

const one = { source: PdfSource }
const { metadata, file_name, async, webhook_url } = GenerateBody.properties
const common = { output: Type.Optional(OutputOptions), metadata, file_name, async, webhook_url }

function body<Fields extends Parameters<typeof Type.Object>[0]>(title: string, fields: Fields) {
  return Type.Object(
    { ...fields, ...common },
    {
      title,
      additionalProperties: false,
      [statedRules]: {
        dependentRequired: { webhook_url: ['async'] },
        if: { required: ['webhook_url'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { async: { const: true } } },
      },
    },
  )
}

export const MergeBody = body('MergeRequest', {
  sources: Type.Array(PdfSource, { minItems: 1, maxItems: maxSources, description: 'in the order of their pages' }),
  outline: Type.Optional(
    Type.Boolean({ default: false, description: 'an entry of the outline for each PDF, with its own outline below' }),
  ),
  titles: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      maxItems: maxSources,
      description: 'of these entries, in order; default: the titles of the PDFs',
    }),
  ),
})
export const SplitBody = body('SplitRequest', { ...one, ...splitFields })
export const RotateBody = body('RotateRequest', { ...one, ...rotateFields })
export const FillBody = body('FillRequest', { ...one, ...fillFields })
export const FlattenBody = body('FlattenRequest', one)
export const OptimizeBody = body('OptimizeRequest', one)
export const UnlockBody = body('UnlockRequest', one)
export const StampBody = body('StampRequest', { ...one, stamps: Stamps })
export const AttachBody = body('AttachRequest', { ...one, attachments: Attachments })
export const MetadataBody = body('MetadataRequest', { ...one, pdf_metadata: MetadataStep })
export const ProtectBody = body('ProtectRequest', { ...one, protect: ProtectStep })
/** At least one of `conformance` and `e_invoice` is set. */
export const ConvertBody = body('ConvertRequest', {
  ...one,
  conformance: Type.Optional(ConformanceStep),
  e_invoice: Type.Optional(EInvoiceStep),
})
export const SignBody = body('SignRequest', { ...one, sign: SignStep })
export const ImagesBody = body('ImagesRequest', { ...one, images: ImagesStep })

/** The fields of any of the bodies. */
export interface ToolBody {
  sources?: PdfSource[]
  source?: PdfSource
  output?: OutputOptions
  metadata?: Record<string, string>
  file_name?: string
  async?: boolean
  webhook_url?: string
}
