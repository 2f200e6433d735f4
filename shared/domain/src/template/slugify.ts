import anyAscii from 'any-ascii'
import { maxSlugLength } from './slug.ts'

/** `Crème brûlée №5` → `creme-brulee-no5`, `Счёт` → `schet`. A name without letters and digits gives `template`. */
export function slugify(name: string): string {
  const words = anyAscii(name.normalize('NFC'))
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
  return truncate(words.join('-'), maxSlugLength) || 'template'
}

/** The slug for the nth attempt, from 1: `invoice`, `invoice-2`, `invoice-3`. */
export function slugCandidate(base: string, attempt: number): string {
  if (attempt === 1) return base
  const suffix = `-${attempt}`
  return truncate(base, maxSlugLength - suffix.length) + suffix
}

function truncate(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-+$/, '')
}
