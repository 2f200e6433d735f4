import { statedRules } from '@platen/foundation/json/json.ts'
import { mapObjects, type Node } from './walk-schemas.ts'

/** Puts the stated rules of every schema into it. */
export function stateRules(document: Node): Node {
  return mapObjects(document, ({ [statedRules]: rules, ...node }) => ({
    ...node,
    ...(rules as Node | undefined),
  })) as Node
}
