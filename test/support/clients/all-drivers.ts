import type { Driver } from './driver.ts'
import { findGo, goDriver } from './go.ts'
import { findPython, pythonDriver } from './python.ts'
import { typescriptDriver } from './typescript.ts'

/** A client that can be run here, or why it cannot. */
export type Available = { language: string; start: () => Driver } | { language: string; missing: string }

/** The clients of all languages. Python and Go are only run where they are found. */
export function allDrivers(): Available[] {
  const [python, go] = [findPython(), findGo()]
  return [
    { language: 'TypeScript', start: () => typescriptDriver },
    ...(['sync', 'async'] as const).map((kind): Available => {
      const language = `Python, ${kind}`
      return 'missing' in python
        ? { language, ...python }
        : { language, start: () => pythonDriver(python.python, kind) }
    }),
    'missing' in go ? { language: 'Go', ...go } : { language: 'Go', start: goDriver },
  ]
}
