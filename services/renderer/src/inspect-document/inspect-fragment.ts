import type { FragmentTraits } from './document-traits.ts'
import { survey } from './survey.ts'

/** Reads the HTML of a header or footer once. */
export function inspectFragment(html: string): FragmentTraits {
  const findings = survey(html)
  return {
    script: findings.script,
    loadsStyles: findings.links || findings.linkedStyles || findings.fontFaces,
    setsInset: findings.setsInset,
  }
}
