import type { OutputSteps } from '@platen/domain/document/output-options.ts'
import { selectedPages } from '@platen/domain/document/page-ranges.ts'
import { conflictsOf } from '@platen/domain/document/step-conflicts.ts'
import type { FieldProblem } from '@platen/domain/http/http.ts'

/** Problems of steps that match their JSON schema. `path`: the field that has the steps. */
export function outputProblems(steps: OutputSteps, path: string): FieldProblem[] {
  const problems: FieldProblem[] = []
  const wrong = (field: string, message: string) => problems.push({ path: `${path}.${field}`, message })
  for (const { step, other, reason } of conflictsOf(steps)) {
    wrong(step, `cannot be given together with ${path}.${other}: ${reason}`)
  }
  const { background, stamps = [], metadata, attachments = [], images, conformance, protect } = steps
  if (metadata?.created_at !== undefined && Number.isNaN(Date.parse(metadata.created_at))) {
    wrong('metadata.created_at', 'is no time')
  }
  for (const [field, step] of Object.entries({ background, images, ...byPlace('stamps', stamps) })) {
    const problem = pagesProblem(step?.pages)
    if (problem !== undefined) wrong(`${field}.pages`, problem)
  }
  for (const [field, stamp] of Object.entries(byPlace('stamps', stamps))) {
    if ((stamp.text === undefined) === (stamp.asset === undefined)) wrong(field, 'must have exactly one of text, asset')
  }
  const names = new Set<string>()
  for (const [field, { name, asset, content_base64 }] of Object.entries(byPlace('attachments', attachments))) {
    if ((asset === undefined) === (content_base64 === undefined)) {
      wrong(field, 'must have exactly one of asset, content_base64')
    }
    if (content_base64 !== undefined && !isBase64(content_base64)) wrong(`${field}.content_base64`, 'is not Base64')
    if (names.has(name)) wrong(`${field}.name`, 'is the name of another attachment')
    names.add(name)
  }
  if (images?.width !== undefined && images.dpi !== undefined) {
    wrong('images.width', `cannot be given together with ${path}.images.dpi`)
  }
  if (conformance && Object.keys(conformance).length === 0) wrong('conformance', 'must have pdf_a or pdf_ua')
  if (protect && Object.keys(protect).length === 0) {
    wrong('protect', 'must have user_password, owner_password or permissions')
  }
  for (const name of ['user_password', 'owner_password'] as const) {
    if (Buffer.byteLength(protect?.[name] ?? '') > maxPasswordBytes) {
      wrong(`protect.${name}`, `must be at most ${maxPasswordBytes} bytes in UTF-8`)
    }
  }
  return problems
}

/** What a template has not: everybody who reads the template reads it, and it is kept in the log for good. */
export function storedOutputProblems(steps: OutputSteps | undefined, path: string): FieldProblem[] {
  const { protect, attachments = [] } = steps ?? {}
  const passwords = (['user_password', 'owner_password'] as const).filter((name) => protect?.[name] !== undefined)
  return [
    ...passwords.map((name) => ({
      path: `${path}.protect.${name}`,
      message: 'is not stored with a template; send it with each request',
    })),
    ...attachments.flatMap(({ content_base64 }, index) =>
      content_base64 === undefined
        ? []
        : [
            {
              path: `${path}.attachments.${index}.content_base64`,
              message: 'is not stored with a template; use asset',
            },
          ],
    ),
  ]
}

/** ISO 32000-2, 7.6.4.3.3: longer ones are cut. */
const maxPasswordBytes = 127

/** RFC 4648, section 4, with padding. A check of each group in a pattern would take seconds for megabytes. */
export function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text)
}

export function pagesProblem(selection: string | undefined): string | undefined {
  try {
    selectedPages(selection, 0)
    return undefined
  } catch (err) {
    return `is not valid: ${(err as RangeError).message}`
  }
}

function byPlace<Item>(field: string, items: readonly Item[]): Record<string, Item> {
  return Object.fromEntries(items.map((item, index) => [`${field}.${index}`, item]))
}
