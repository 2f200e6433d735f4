import type { OutputSteps } from '@platen/domain/document/output-options.ts'
import type { PdfTask } from '@platen/pdf-tools/task/task.ts'

const digits = '0123456789'

/** The texts that the steps draw on pages, with all characters that page numbers and times may have. */
export function drawnTexts({ stamps = [], sign }: OutputSteps, signer = ''): string[] {
  const texts = stamps.flatMap(({ text }) => (text === undefined ? [] : [numbered(text)]))
  const { visible, reason = '', location = '' } = sign ?? {}
  if (!visible) return texts
  return [...texts, visible.text ?? `Signed by ${signer} ${digits}-: UTC ${reason} ${location}`]
}

const numbered = (text: string) => text.replace(/\{\{\s*(page|pages)\s*\}\}/g, digits)

/** Beyond the encoding WinAnsi, which Helvetica has (ISO 32000-2, annex D.2). */
const beyondHelvetica =
  /[^\n\r\x20-\x7e\xa0-\xff\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]/u

/** A font is looked for once for each. */
const maxFieldTexts = 20

/**
 * Texts of form fields that Helvetica cannot show: all of their characters as one, and some of them alone, if they are of scripts that
 * no font has together.
 */
export function fieldTexts({ operation, form }: Pick<PdfTask, 'operation' | 'form'>): string[] {
  const values = operation.operation === 'fill' ? Object.values(operation.fields).flat() : []
  const inputs = form?.fields.flatMap(({ value, choice }) => [
    value,
    ...(choice?.options ?? []).map(({ text }) => text),
  ])
  const texts = [...values, ...(inputs ?? [])].filter((text) => typeof text === 'string' && beyondHelvetica.test(text))
  if (texts.length === 0) return []
  return [[...new Set(texts.join(''))].join(''), ...new Set(texts.slice(0, maxFieldTexts).map(String))]
}
