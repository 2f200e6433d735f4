import type { OutputSteps } from './output-options.ts'

/**
 * The steps as events and lists of dead letters have them: without passwords, and without what is content of the document, which
 * are texts, metadata and files.
 */
export function describedSteps(steps: OutputSteps): OutputSteps {
  const { metadata, stamps, attachments, e_invoice, protect, sign } = steps
  return {
    ...steps,
    ...(metadata && { metadata: {} }),
    ...(stamps && { stamps: stamps.map(({ text: _, ...stamp }) => stamp) }),
    ...(attachments && {
      attachments: attachments.map(({ content_base64: _, description: __, ...attachment }) => attachment),
    }),
    ...(e_invoice && { e_invoice: { ...e_invoice, xml: '' } }),
    ...(protect && { protect: protect.permissions ? { permissions: protect.permissions } : {} }),
    ...(sign && { sign: { key: sign.key } }),
  }
}

/** The assets that the steps read, with the field of each. */
export function assetsOfSteps(steps: OutputSteps): { field: string; name: string }[] {
  const { background, append = [], stamps = [], attachments = [] } = steps
  const lists = Object.entries({ append, stamps, attachments }).flatMap(([field, items]) =>
    items.map(({ asset }: { asset?: string }, index) => ({ field: `${field}.${index}.asset`, name: asset })),
  )
  return [{ field: 'background.asset', name: background?.asset }, ...lists].flatMap(({ field, name }) =>
    name === undefined ? [] : [{ field, name }],
  )
}
