import { fieldRules, OpenEnum, StringEnum, statedRules } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { assetNamePattern, maxNameLength } from '../asset/asset-name.ts'

// The steps that are done to a PDF after the print, in the order of the fields of `OutputOptions`.

const maxTextLength = 500
const maxContentLength = 5 * 1024 * 1024

const AssetName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: maxNameLength,
    [statedRules]: { pattern: assetNamePattern },
    description,
    examples: ['letterhead.pdf'],
  })

/** Checked by `selectedPages`, with a better message than that of a pattern. */
export const PageSelection = Type.String({
  minLength: 1,
  maxLength: 256,
  description: '`all`, `first`, `last`, or ascending page numbers and ranges',
  examples: ['1-3, 5, 8-'],
})

const Millimetres = (description: string) => Type.Number({ minimum: -5_080, maximum: 5_080, description })
const LengthMm = (description: string) => Type.Number({ minimum: 0.1, maximum: 5_080, description })
const Text = Type.String({ minLength: 1, maxLength: maxTextLength })
const Colour = Type.String({
  maxLength: 7,
  pattern: '^#[0-9A-Fa-f]{6}$',
  description: 'default: #000000',
  examples: ['#cc0000'],
})
const Content = Type.String({
  maxLength: maxContentLength,
  [statedRules]: { pattern: '^[A-Za-z0-9+/]*={0,2}$' },
  description: 'the bytes in Base64 (RFC 4648, section 4)',
})
const Password = (description: string) => Type.String({ minLength: 1, maxLength: 127, description })

/** A PDF asset under the pages, such as a letterhead. Its last page goes under all pages after it. */
export const BackgroundStep = Type.Object(
  { asset: AssetName('a PDF asset'), pages: Type.Optional(PageSelection) },
  {
    title: 'BackgroundStep',
    additionalProperties: false,
    description: 'a PDF asset under the pages: its first page under the first one, and its last page under all others',
  },
)
export type BackgroundStep = Static<typeof BackgroundStep>

/** A PDF asset whose pages come after those of the document. */
export const AppendedPdf = Type.Object(
  { asset: AssetName('a PDF asset') },
  { title: 'AppendedPdf', additionalProperties: false, description: 'a PDF asset whose pages are added at the end' },
)
export type AppendedPdf = Static<typeof AppendedPdf>

export const StampPosition = StringEnum(
  [
    ...['center', 'top-left', 'top-center', 'top-right', 'middle-left', 'middle-right'],
    ...['bottom-left', 'bottom-center', 'bottom-right'],
  ] as const,
  { title: 'StampPosition', description: 'default: center' },
)
export type StampPosition = Static<typeof StampPosition>

/** Exactly one of `text` and `asset` is set. */
export const Stamp = Type.Object(
  {
    text: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxTextLength,
        description: '{{page}} and {{pages}} are the number of the page and of all pages',
        examples: ['DRAFT'],
      }),
    ),
    asset: Type.Optional(AssetName('a PNG or JPEG picture, or a PDF, whose first page is the stamp')),
    layer: Type.Optional(
      StringEnum(['over', 'under'], { title: 'StampLayer', description: 'default: over the content of the page' }),
    ),
    pages: Type.Optional(PageSelection),
    position: Type.Optional(StampPosition),
    x: Type.Optional(Millimetres('millimetres to the right of the position')),
    y: Type.Optional(Millimetres('millimetres down from the position')),
    width: Type.Optional(LengthMm('millimetres; default: that of the asset or of the text')),
    rotation: Type.Optional(
      Type.Number({ minimum: -360, maximum: 360, default: 0, description: 'degrees, counter-clockwise' }),
    ),
    opacity: Type.Optional(Type.Number({ minimum: 0, maximum: 1, default: 1 })),
    font_size: Type.Optional(Type.Number({ minimum: 1, maximum: 1_000, default: 48, description: 'points' })),
    color: Type.Optional(Colour),
  },
  {
    title: 'Stamp',
    additionalProperties: false,
    [statedRules]: fieldRules({ oneOf: [{ required: ['text'] }, { required: ['asset'] }] }),
    description: 'a text, a picture or a PDF page over or under the pages; exactly one of text and asset',
  },
)
export type Stamp = Static<typeof Stamp>

/** Entries of the document information dictionary (ISO 32000-2, 14.3.3) with names of the caller. */
export const CustomMetadata = Type.Unsafe<Record<string, string>>({
  title: 'CustomMetadata',
  type: 'object',
  maxProperties: 50,
  propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]{0,49}$' },
  additionalProperties: { type: 'string', minLength: 1, maxLength: maxTextLength },
  description: 'entries of the document information with names of your own: letters, digits and _, at most 50 each',
  examples: [{ Order: '4711' }],
})

/** Document information dictionary and XMP (ISO 32000-2, 14.3). */
export const MetadataStep = Type.Object(
  {
    title: Type.Optional(Text),
    author: Type.Optional(Text),
    subject: Type.Optional(Text),
    keywords: Type.Optional(Type.Array(Text, { maxItems: 50 })),
    creator: Type.Optional(Text),
    custom: Type.Optional(CustomMetadata),
    created_at: Type.Optional(
      Type.String({
        maxLength: 40,
        pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$',
        description: 'RFC 3339',
        examples: ['2026-01-31T12:00:00.000Z'],
      }),
    ),
  },
  { title: 'PdfMetadata', additionalProperties: false, description: 'replaces the fields that are given' },
)
export type MetadataStep = Static<typeof MetadataStep>

/** AFRelationship of ISO 32000-2, 7.11.3. */
export const AttachmentRelationship = OpenEnum(['source', 'data', 'alternative', 'supplement', 'unspecified'], {
  title: 'AttachmentRelationship',
  description: 'default: unspecified',
})
export type AttachmentRelationship = Static<typeof AttachmentRelationship>

/** Exactly one of `asset` and `content_base64` is set. */
export const Attachment = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^/\\\\\\u0000-\\u001f]+$',
      description: 'the file name, without folders',
      examples: ['terms.pdf'],
    }),
    media_type: Type.String({
      maxLength: 100,
      pattern: '^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+$',
      examples: ['text/xml'],
    }),
    description: Type.Optional(Text),
    relationship: Type.Optional(AttachmentRelationship),
    asset: Type.Optional(AssetName('an asset of any type')),
    content_base64: Type.Optional(Content),
  },
  {
    title: 'Attachment',
    additionalProperties: false,
    [statedRules]: fieldRules({ oneOf: [{ required: ['asset'] }, { required: ['content_base64'] }] }),
    description: 'a file in the PDF; exactly one of asset and content_base64',
  },
)
export type Attachment = Static<typeof Attachment>

/** At least one is set. */
export const ConformanceStep = Type.Object(
  {
    pdf_a: Type.Optional(
      OpenEnum(['1b', '2b', '3b'], {
        title: 'PdfAConformance',
        description: 'PDF/A-1b, -2b or -3b (ISO 19005). 1b has no transparency; files may be attached to 3b only',
      }),
    ),
    pdf_ua: Type.Optional(OpenEnum(['1'], { title: 'PdfUaConformance', description: 'PDF/UA-1 (ISO 14289-1)' })),
  },
  {
    title: 'ConformanceStep',
    [statedRules]: { minProperties: 1 },
    additionalProperties: false,
    description: 'the standard that the PDF says to follow; what it violates is refused or warned of',
  },
)
export type ConformanceStep = Static<typeof ConformanceStep>

/** Implies PDF/A-3b. */
export const EInvoiceStep = Type.Object(
  {
    standard: OpenEnum(['factur-x'], { title: 'EInvoiceStandard', description: 'Factur-X 1.0, which is ZUGFeRD 2' }),
    profile: OpenEnum(['minimum', 'basic-wl', 'basic', 'en16931', 'extended', 'xrechnung'], {
      title: 'EInvoiceProfile',
    }),
    xml: Type.String({
      minLength: 1,
      maxLength: 2 * 1024 * 1024,
      description: 'the invoice in UN/CEFACT CII; a Handlebars template, as the document is',
    }),
  },
  { title: 'EInvoiceStep', additionalProperties: false, description: 'a PDF/A-3b with the invoice as XML in it' },
)
export type EInvoiceStep = Static<typeof EInvoiceStep>

/** At most one of `width` and `dpi` is set. */
export const ImagesStep = Type.Object(
  {
    format: OpenEnum(['png', 'jpeg', 'webp'], { title: 'ImageFormat' }),
    pages: Type.Optional(PageSelection),
    width: Type.Optional(Type.Integer({ minimum: 16, maximum: 8_000, description: 'of each picture, in pixels' })),
    dpi: Type.Optional(Type.Integer({ minimum: 18, maximum: 600, default: 96, description: 'pixels per inch' })),
  },
  {
    title: 'ImagesStep',
    additionalProperties: false,
    [statedRules]: fieldRules({ not: { required: ['width', 'dpi'] } }),
    description: 'pictures of the pages instead of the PDF: of one page that picture, of several pages a ZIP file',
  },
)
export type ImagesStep = Static<typeof ImagesStep>

const allowed = Type.Optional(Type.Boolean({ default: true }))

/** User access permissions (ISO 32000-2, table 22). */
export const PdfPermissions = Type.Object(
  { print: allowed, extract: allowed, modify: allowed, annotate: allowed, fill_forms: allowed, assemble: allowed },
  {
    title: 'PdfPermissions',
    additionalProperties: false,
    description: 'what who opens the PDF without the owner password may do; default: everything',
  },
)
export type PdfPermissions = Static<typeof PdfPermissions>

/** AES-256 (ISO 32000-2, 7.6, revision 6). Without an owner password, a random one that nobody knows. */
export const ProtectStep = Type.Object(
  {
    user_password: Type.Optional(Password('needed to open the PDF, at most 127 bytes in UTF-8; default: none')),
    owner_password: Type.Optional(Password('gives all permissions, at most 127 bytes in UTF-8; default: a random one')),
    permissions: Type.Optional(PdfPermissions),
  },
  {
    title: 'ProtectStep',
    [statedRules]: { minProperties: 1 },
    additionalProperties: false,
    description: 'encrypts with AES-256. Passwords are not stored with a template',
  },
)
export type ProtectStep = Static<typeof ProtectStep>

/** Where a signature is shown. */
export const VisibleSignature = Type.Object(
  {
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1 })),
    x: Millimetres('millimetres from the left'),
    y: Millimetres('millimetres from the top'),
    width: LengthMm('millimetres'),
    height: LengthMm('millimetres'),
    text: Type.Optional(Text),
  },
  { title: 'VisibleSignature', additionalProperties: false, description: 'default: the signature is not shown' },
)
export type VisibleSignature = Static<typeof VisibleSignature>

/** PAdES (ETSI EN 319 142-1), level B-B or B-T. Always the last step. */
export const SignStep = Type.Object(
  {
    key: Type.String({
      maxLength: 64,
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
      description: 'the name of a signing key of the deployment',
    }),
    reason: Type.Optional(Text),
    location: Type.Optional(Text),
    visible: Type.Optional(VisibleSignature),
  },
  { title: 'SignStep', additionalProperties: false, description: 'a PAdES signature, always the last step' },
)
export type SignStep = Static<typeof SignStep>

export const Stamps = Type.Array(Stamp, { minItems: 1, maxItems: 20 })
export const Attachments = Type.Array(Attachment, {
  minItems: 1,
  maxItems: 50,
  description: 'files in the PDF, each with another name',
})

/** Every step that the PDF tools know, in the order in which they are done. */
const steps = {
  background: Type.Optional(BackgroundStep),
  append: Type.Optional(Type.Array(AppendedPdf, { minItems: 1, maxItems: 20 })),
  stamps: Type.Optional(Stamps),
  metadata: Type.Optional(MetadataStep),
  attachments: Type.Optional(Attachments),
  conformance: Type.Optional(ConformanceStep),
  e_invoice: Type.Optional(EInvoiceStep),
  images: Type.Optional(ImagesStep),
  protect: Type.Optional(ProtectStep),
  sign: Type.Optional(SignStep),
}
/** The steps as the PDF tools get them. */
export const OutputSteps = Type.Object(steps)
export type OutputSteps = Static<typeof OutputSteps>
export type OutputStep = keyof OutputSteps
/** The steps in the order in which they are done. */
export const outputSteps = Object.keys(steps) as OutputStep[]

/** `options.output`: the steps after the print. They are done in the order of the fields here. */
export const OutputOptions = Type.Object(steps, {
  title: 'OutputOptions',
  additionalProperties: false,
  description: 'what is done to the PDF after the print, in the order of the fields',
})
export type OutputOptions = Static<typeof OutputOptions>

/** The feature that a renderer must have for a step, see render-features.ts. */
export const outputFeatures = Object.fromEntries(
  Object.keys(OutputOptions.properties).map((step) => [step, `output-${step}`]),
) as Readonly<Partial<Record<OutputStep, string>>>

/** The result of a step, as events and answers have it. */
export const StepResult = Type.Object(
  {
    step: Type.String({
      examples: ['stamps'],
      description: 'an operation of /v1/pdf, a field of options.output, or form_fields',
    }),
    bytes: Type.Integer({ minimum: 0, description: 'the size of the result' }),
    sha256: Type.String({ description: 'SHA-256 of the result, in hex' }),
    ms: Type.Integer({ minimum: 0, description: 'how long the step took' }),
  },
  { title: 'StepResult' },
)
export type StepResult = Static<typeof StepResult>
