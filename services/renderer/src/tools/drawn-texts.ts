import type { OutputSteps } from '@platen/domain/document/output-options.ts'

const digits = '0123456789'

/** The texts that the steps draw on pages, with all characters that page numbers and times may have. */
export function drawnTexts({ stamps = [], sign }: OutputSteps, signer = ''): string[] {
  const texts = stamps.flatMap(({ text }) => (text === undefined ? [] : [numbered(text)]))
  const { visible, reason = '', location = '' } = sign ?? {}
  if (!visible) return texts
  return [...texts, visible.text ?? `Signed by ${signer} ${digits}-: UTC ${reason} ${location}`]
}

const numbered = (text: string) => text.replace(/\{\{\s*(page|pages)\s*\}\}/g, digits)
