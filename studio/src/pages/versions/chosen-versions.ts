import type { Version, VersionedTemplate } from './resources.ts'

interface Known {
  template: Pick<VersionedTemplate, 'newest' | 'labels'>
  /** Those that are loaded, newest first. */
  versions: readonly Version[]
}

export type Chosen = { kind: 'pair' | 'single'; from: number; to: number } | { kind: 'unknown-label'; label: string }

/** The label that a reviewer compares with, by convention: what applications print. */
export const published = 'published'

/**
 * The versions that the address names, by number or label. By default the newest, and the published one or, if that is the newest
 * itself, the one before. `single`: there is no other one.
 */
export function chosenVersions(asked: { from: string; to: string }, { template, versions }: Known): Chosen {
  const { newest, labels } = template
  for (const label of [asked.from, asked.to]) {
    if (label !== '' && !isNumber(label) && labels[label] === undefined) return { kind: 'unknown-label', label }
  }
  const to = versionOf(asked.to, labels) ?? newest
  const from = versionOf(asked.from, labels) ?? (asked.to === '' ? besideOf(to, labels[published]) : undefined)
  if (from !== undefined) return { kind: 'pair', from, to }
  const before = versionBefore(to, versions)
  return { kind: before === to ? 'single' : 'pair', from: before, to }
}

const isNumber = (text: string) => /^[1-9]\d{0,9}$/.test(text)
const besideOf = (to: number, version: number | undefined) => (version === to ? undefined : version)

function versionOf(text: string, labels: Readonly<Record<string, number>>): number | undefined {
  return isNumber(text) ? Number(text) : labels[text]
}

/** The version before, without deletions, which have no content. Of the first version, that itself. */
export function versionBefore(version: number, versions: readonly Version[]): number {
  const isDeletion = (other: number) => versions.some((one) => one.version === other && one.change === 'deleted')
  const before = version - 1
  return Math.max(1, isDeletion(before) ? before - 1 : before)
}
