import { mapObjects, type Node } from './walk-schemas.ts'

/** The document for generators of clients that cannot read webhooks, without the schemas that only webhooks use. */
export function withoutWebhooks({ webhooks: _, ...document }: Node): Node {
  const { pathItems: __, ...components } = document.components as Node & { schemas: Node }
  const used = new Set<string>()
  const use = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      use(components.schemas[name])
    }
  }
  const paths = mapObjects(document.paths, ({ callbacks: _, ...node }) => node)
  use(paths)
  const schemas = Object.fromEntries(Object.entries(components.schemas).filter(([name]) => used.has(name)))
  return { ...document, paths, components: { ...components, schemas } }
}
