import type { PdfOptions } from '@platen/domain/document/pdf-options.ts'
import type { TemplateContent } from '@platen/domain/template/template-content.ts'

/** The fields of a template version that determine the look of its documents. */
export type TemplateLook = Pick<TemplateContent, 'options' | 'header_html' | 'footer_html'>

/**
 * The options of a request over those of its template, field by field, and `margin` side by side. A `format` of the
 * request chooses the paper, so that it also replaces `width` and `height` of the template.
 */
export function overrideOptions(
  { options, header_html, footer_html }: TemplateLook,
  request: PdfOptions = {},
): PdfOptions {
  const { margin, ...own } = options ?? {}
  const { margin: requestedMargin, ...requested } = request
  const merged: PdfOptions = {
    ...own,
    ...(header_html !== undefined && { header_html }),
    ...(footer_html !== undefined && { footer_html }),
    ...requested,
    ...((margin || requestedMargin) && { margin: { ...margin, ...requestedMargin } }),
  }
  if (request.format !== undefined) {
    if (request.width === undefined) delete merged.width
    if (request.height === undefined) delete merged.height
  }
  return merged
}
