import type { OutputOptions } from '@platen/domain/document/output-options.ts'
import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { TemplateContent } from '@platen/domain/template/template-content.ts'
import { defined } from '@platen/foundation/json/defined.ts'

/** The fields of a template version that determine the look of its documents. */
export type TemplateLook = Pick<TemplateContent, 'options' | 'header_html' | 'footer_html'>

/**
 * The options of a request over those of its template, field by field, `margin` side by side, and `output` step by step. A `format` of the
 * request chooses the paper, so that it also replaces `width` and `height` of the template.
 */
export function overrideOptions(
  { options, header_html, footer_html }: TemplateLook,
  request: PdfOptions = {},
): PdfOptions {
  const { margin, output, ...own } = options ?? {}
  const { margin: requestedMargin, output: requestedOutput, ...requested } = request
  const merged: PdfOptions = {
    ...own,
    ...defined({ header_html, footer_html }),
    ...requested,
    ...((margin || requestedMargin) && { margin: { ...margin, ...requestedMargin } }),
    ...((output || requestedOutput) && { output: overrideSteps(output, requestedOutput) }),
  }
  if (request.format !== undefined) {
    if (request.width === undefined) delete merged.width
    if (request.height === undefined) delete merged.height
  }
  return merged
}

/** A template has no passwords, so that its permissions hold for the passwords of a request. */
function overrideSteps(own: OutputOptions = {}, requested: OutputOptions = {}): OutputOptions {
  const protect = own.protect && requested.protect && { ...own.protect, ...requested.protect }
  return { ...own, ...requested, ...defined({ protect }) }
}
