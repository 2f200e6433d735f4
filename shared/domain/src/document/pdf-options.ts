import { cssLengthPattern, lengthMm } from '@platen/foundation/css-length.ts'
import { WarningCode } from '@platen/foundation/errors/warning.ts'
import { OpenEnum, StringEnum, statedRules, uniqueItems } from '@platen/foundation/json/json.ts'
import { type Static, Type } from 'typebox'
import { OutputOptions } from './output-options.ts'

/** A CSS length with its unit (CSS Values 4, 6.2); a PDF page is at most 5,080 mm (ISO 32000-1, annex C). */
const CssLength = (description: string) =>
  Type.String({
    maxLength: 20,
    pattern: cssLengthPattern,
    description,
    examples: ['210mm', '8.5in', '600px'],
  })
const Width = CssLength('of the sheet, with a unit; default: that of the format')
const Height = CssLength('of the sheet, with a unit; default: that of the format')

export const PaperFormat = OpenEnum(['A4', 'A3', 'A5', 'Letter', 'Legal', 'Tabloid'], {
  title: 'PaperFormat',
  description: 'default: A4',
})
export type PaperFormat = Static<typeof PaperFormat>

/** Width and height in millimetres, portrait (ISO 216; ANSI/ASME Y14.1). */
export const paperSizesMm: Record<PaperFormat, { width: number; height: number }> = {
  A3: { width: 297, height: 420 },
  A4: { width: 210, height: 297 },
  A5: { width: 148, height: 210 },
  Letter: { width: 215.9, height: 279.4 },
  Legal: { width: 215.9, height: 355.6 },
  Tabloid: { width: 279.4, height: 431.8 },
}

/** Numbers from 1 and ranges of them. */
const pageRangesPattern =
  '^ *[1-9][0-9]{0,5}( *- *([1-9][0-9]{0,5})?)?( *, *[1-9][0-9]{0,5}( *- *([1-9][0-9]{0,5})?)?)* *$'

const SideMm = Type.Number({ minimum: 0, [statedRules]: { maximum: 5_080 }, description: 'millimetres' })
const HtmlFragment = Type.String({
  description:
    'HTML; elements of the classes pageNumber, totalPages, date, title and url are filled in, and elements with data-platen-pages, such as "first", "last" or "not first", are printed on these pages only; data-platen-carry shows sums that are carried forward',
})

export const JavascriptOption = StringEnum(['auto', 'on', 'off'], {
  title: 'JavascriptOption',
  description: 'default: auto, which runs scripts when the document contains any',
})
export type JavascriptOption = Static<typeof JavascriptOption>

/** The condition to wait for before a scripted document is printed. Exactly one field is set. */
export const WaitFor = Type.Object(
  {
    selector: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'CSS selector; waits until an element matches',
        examples: ['.done'],
      }),
    ),
    expression: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'JavaScript expression; waits until it is truthy in the document. A promise is awaited',
        examples: ['window.chartReady === true'],
      }),
    ),
    ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30_000,
        description: 'waits this many milliseconds after the document has loaded',
      }),
    ),
  },
  {
    title: 'WaitFor',
    [statedRules]: { minProperties: 1, maxProperties: 1 },
    additionalProperties: false,
    description: 'exactly one of selector, expression and ms; needs scripts',
  },
)
export type WaitFor = Static<typeof WaitFor>

export const Media = StringEnum(['print', 'screen'], {
  title: 'MediaOption',
  description: 'default: print: the CSS media type that applies',
})
export type Media = Static<typeof Media>

/** CSS Media Queries 5. Chromium refuses none, and ignores what it does not know. */
const MediaFeatures = Type.Record(
  Type.String({ pattern: '^[a-z-]{1,50}$' }),
  Type.String({ maxLength: 50, [statedRules]: { pattern: '^[a-z0-9-]+$' } }),
  {
    maxProperties: 20,
    title: 'MediaFeatures',
    description: 'values of CSS media features',
    examples: [{ 'prefers-color-scheme': 'dark' }],
  },
)

const BaseUrl = Type.String({
  minLength: 1,
  maxLength: 2_000,
  [statedRules]: { pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,4})?(/[!-~]*)?$' },
  description: 'http or https: the relative URLs of the document are resolved with it',
  examples: ['https://example.com/invoices/'],
})

/**
 * Warnings that make the generation fail. Duplicates are rejected by the gateway: `uniqueItems` takes quadratic time in
 * validators, and generators of API clients turn it into a set.
 */
const FailOn = Type.Array(WarningCode, {
  // More than there are codes today, so that a new code does not change the schema that clients rely on.
  maxItems: 50,
  [statedRules]: uniqueItems,
  description: 'default: none. A warning with one of these codes makes the generation fail with RENDER_FAILED',
})

const InfoText = Type.String({ minLength: 1, maxLength: 500 })

export const DocumentInfo = Type.Object(
  {
    title: Type.Optional(InfoText),
    author: Type.Optional(InfoText),
    subject: Type.Optional(InfoText),
    keywords: Type.Optional(InfoText),
  },
  {
    title: 'DocumentInfo',
    additionalProperties: false,
    description: "replaces the document's <title> and <meta name=author, description and keywords> in the PDF",
  },
)
export type DocumentInfo = Static<typeof DocumentInfo>

const TimeoutMs = Type.Integer({
  minimum: 1_000,
  maximum: 600_000,
  description:
    'how long the document may take to load and print; at most the limit of the deployment, which is the default',
})

const Locale = Type.String({
  minLength: 2,
  maxLength: 100,
  description:
    'default: en-US. A language tag, or {{path}}: the data have it there. The default of every helper, of the digits of contents lists, and of scripts',
  examples: ['de-DE'],
})
const Timezone = Type.String({
  minLength: 1,
  maxLength: 100,
  description:
    'default: UTC. A name of the IANA database, or {{path}}: the data have it there. For helpers and scripts',
  examples: ['Europe/Berlin'],
})

/** `options` of a generation request. Every field is optional. */
export const PdfOptions = Type.Object(
  {
    format: Type.Optional(PaperFormat),
    landscape: Type.Optional(Type.Boolean({ default: false, description: 'swaps the sides of the format' })),
    width: Type.Optional(Width),
    height: Type.Optional(Height),
    prefer_css_page_size: Type.Optional(
      Type.Boolean({ default: true, description: "the document's `@page { size }` chooses the paper" }),
    ),
    single_page: Type.Optional(Type.Boolean({ default: false, description: 'one page, as tall as the document' })),
    media: Type.Optional(Media),
    media_features: Type.Optional(MediaFeatures),
    margin: Type.Optional(
      Type.Object(
        {
          top: Type.Optional(SideMm),
          bottom: Type.Optional(SideMm),
          left: Type.Optional(SideMm),
          right: Type.Optional(SideMm),
        },
        { title: 'Margin', additionalProperties: false, description: 'default: top 20, bottom 20, left 15, right 15' },
      ),
    ),
    header_html: Type.Optional(HtmlFragment),
    footer_html: Type.Optional(HtmlFragment),
    print_background: Type.Optional(
      Type.Boolean({ default: true, description: 'prints background colours and pictures' }),
    ),
    scale: Type.Optional(
      Type.Number({ minimum: 0.1, maximum: 2, default: 1, description: 'the size of the content on the sheet' }),
    ),
    page_ranges: Type.Optional(
      Type.String({
        maxLength: 256,
        [statedRules]: { pattern: pageRangesPattern },
        description: 'default: all pages. Ascending',
        examples: ['1-3, 5, 8-'],
      }),
    ),
    javascript: Type.Optional(JavascriptOption),
    wait_for: Type.Optional(WaitFor),
    finish_animations: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'runs animations and timers of up to 5 s to their end, in virtual time, before the print',
      }),
    ),
    timeout_ms: Type.Optional(TimeoutMs),
    base_url: Type.Optional(BaseUrl),
    outline: Type.Optional(
      Type.Boolean({ default: false, description: 'bookmarks from the headings h1 to h6; this also tags the PDF' }),
    ),
    tagged: Type.Optional(
      Type.Boolean({ default: false, description: 'include the document structure, for assistive technology' }),
    ),
    form_fields: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'inputs, text areas and selects of the document become form fields of the PDF, which can be filled in',
      }),
    ),
    document_info: Type.Optional(DocumentInfo),
    locale: Type.Optional(Locale),
    timezone: Type.Optional(Timezone),
    fail_on: Type.Optional(FailOn),
    strict: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'a value that the template prints and the data does not have is a TEMPLATE_RENDER_ERROR',
      }),
    ),
    output: Type.Optional(OutputOptions),
  },
  { title: 'GenerateOptions', additionalProperties: false },
)
export type PdfOptions = Static<typeof PdfOptions>

/** Options with every default filled in, as in render commands and `GenerationRequested`. Margins in millimetres. */
export const ResolvedPdfOptions = Type.Object({
  format: PaperFormat,
  landscape: Type.Boolean(),
  width: Type.Optional(Width),
  height: Type.Optional(Height),
  prefer_css_page_size: Type.Optional(Type.Boolean()),
  single_page: Type.Optional(Type.Boolean()),
  media: Type.Optional(Media),
  media_features: Type.Optional(MediaFeatures),
  margin: Type.Object({ top: SideMm, bottom: SideMm, left: SideMm, right: SideMm }),
  header_html: Type.Optional(Type.String()),
  footer_html: Type.Optional(Type.String()),
  print_background: Type.Boolean(),
  scale: Type.Number(),
  page_ranges: Type.Optional(Type.String()),
  javascript: JavascriptOption,
  wait_for: Type.Optional(WaitFor),
  finish_animations: Type.Optional(Type.Boolean()),
  timeout_ms: Type.Optional(TimeoutMs),
  base_url: Type.Optional(BaseUrl),
  outline: Type.Optional(Type.Boolean()),
  tagged: Type.Optional(Type.Boolean()),
  form_fields: Type.Optional(Type.Boolean()),
  document_info: Type.Optional(DocumentInfo),
  locale: Type.Optional(Locale),
  timezone: Type.Optional(Timezone),
  fail_on: Type.Optional(FailOn),
  strict: Type.Optional(Type.Boolean()),
  output: Type.Optional(OutputOptions),
})
export type ResolvedPdfOptions = Static<typeof ResolvedPdfOptions>

/**
 * The feature that a renderer must have to print an option that is not at its default. Undefined: every renderer has
 * it. Each new option needs the name of a feature, so that no older renderer prints the document without it. See
 * render-features.ts.
 */
export const optionFeatures: Readonly<Record<keyof PdfOptions | keyof ResolvedPdfOptions, string | undefined>> = {
  format: undefined,
  landscape: undefined,
  width: undefined,
  height: undefined,
  prefer_css_page_size: undefined,
  single_page: undefined,
  media: undefined,
  media_features: 'media-features',
  margin: undefined,
  header_html: undefined,
  footer_html: undefined,
  print_background: undefined,
  scale: undefined,
  page_ranges: undefined,
  javascript: undefined,
  wait_for: undefined,
  finish_animations: undefined,
  timeout_ms: undefined,
  base_url: undefined,
  outline: undefined,
  tagged: undefined,
  form_fields: 'form-fields',
  document_info: undefined,
  locale: 'locale',
  timezone: 'locale',
  fail_on: undefined,
  strict: undefined,
  // Each step is a feature of its own.
  output: undefined,
}

export function resolvePdfOptions(options: PdfOptions = {}): ResolvedPdfOptions {
  const { format = 'A4', landscape = false, print_background = true, scale = 1, javascript = 'auto' } = options
  const margin = { top: 20, bottom: 20, left: 15, right: 15, ...options.margin }
  return { ...options, format, landscape, margin, print_background, scale, javascript }
}

/** The sheet of the options. `landscape` swaps the sides of the format, but not `width` and `height`. */
export function paperSizeMm(options: Pick<ResolvedPdfOptions, 'format' | 'landscape' | 'width' | 'height'>): {
  width: number
  height: number
} {
  const format = paperSizesMm[options.format]
  const { width, height } = options.landscape ? { width: format.height, height: format.width } : format
  return { width: lengthMm(options.width ?? '') ?? width, height: lengthMm(options.height ?? '') ?? height }
}
