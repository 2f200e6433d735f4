import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import openapiDiff from 'openapi-diff'
import t from 'tap'
import { comparable, openApiPath, releasedPath } from '../../scripts/write-openapi.ts'
import { asOpenApi30 } from '../../services/gateway/src/http/openapi/openapi-3-0.ts'
import { resolveRefs } from '../support/resolve-refs.ts'
import { root } from './code-blocks.ts'

// Compares the OpenAPI document with that of the last release, with a third-party tool. A breaking change must be named
// in CHANGELOG.md, under `### Breaking changes` of the next release, by its operation: `POST /v1/generate`. At a
// release, `node scripts/write-openapi.ts --release` renews the released document.

interface Difference {
  code: string
  sourceSpecEntityDetails?: { location: string }[]
  destinationSpecEntityDetails?: { location: string }[]
}

type Paths = Record<string, Record<string, unknown>>

/**
 * The two documents with each schema in its place, and without the operations that are the same in both. With every body the tool would
 * compare all components, which takes minutes.
 */
function differing(...texts: [string, string]): string[] {
  const documents = texts.map((text) => resolveRefs(JSON.parse(text) as { paths: Paths; components: unknown }))
  const isSame = (path: string, method: string) => {
    const [one, other] = documents.map(({ paths }) => paths[path]?.[method])
    return isDeepStrictEqual(one, other)
  }
  return documents.map(({ components: _, paths, ...document }) => {
    const entries = Object.entries(paths).map(([path, item]) => {
      const operations = Object.entries(item).filter(([method]) => !isSame(path, method))
      return [path, Object.fromEntries(operations)]
    })
    return JSON.stringify({ ...document, paths: Object.fromEntries(entries) })
  })
}

/** The operations or paths that the document breaks, each with the code of the difference. */
async function broken(released: string, current: string): Promise<Map<string, string>> {
  const [source = '', destination = ''] = differing(released, current)
  const spec = (content: string, location: string) => ({ content, location, format: 'openapi3' as const })
  const outcome = await openapiDiff.diffSpecs({
    sourceSpec: spec(source, 'the last release'),
    destinationSpec: spec(destination, 'this state'),
  })
  const differences: Difference[] = outcome.breakingDifferencesFound ? outcome.breakingDifferences : []
  return new Map(
    differences.map(({ code, sourceSpecEntityDetails: from = [], destinationSpecEntityDetails: to = [] }) => {
      const [, path = '', method = ''] =
        /^paths\.([^.]+)(?:\.([a-z]+))?/.exec([...from, ...to][0]?.location ?? '') ?? []
      return [`${method.toUpperCase()} ${path}`.trim(), code]
    }),
  )
}

const released = await readFile(releasedPath, 'utf8')
const document = JSON.parse(await readFile(openApiPath, 'utf8'))

t.test('a breaking change of the API is named in the changelog', async (t) => {
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8')
  const [next = ''] = changelog.split(/^## \[(?!Unreleased)/m)
  const named = next.split('\n### ').find((part) => part.startsWith('Breaking changes')) ?? ''
  const breaks = await broken(released, comparable(asOpenApi30(document)))
  const unnamed = [...breaks].filter(([operation]) => !named.includes(`\`${operation}\``))
  t.strictSame(unnamed, [], 'name each under `### Breaking changes` in CHANGELOG.md, or keep what clients rely on')
})

/** This document with other schemas, against this document. */
async function brokenBy(schemas: object): Promise<Map<string, string>> {
  const changed = { ...document, components: { ...document.components, schemas } }
  return broken(comparable(asOpenApi30(document)), comparable(asOpenApi30(changed)))
}

t.test('the comparison finds a field that is gone, and not one that is new', async (t) => {
  const { schemas } = document.components
  const { pages: _, ...fields } = schemas.Generation.properties
  const changedTo = (properties: object) => brokenBy({ ...schemas, Generation: { ...schemas.Generation, properties } })
  const breaks = await changedTo({ ...fields, size_class: { type: 'string' } })
  t.match([...breaks.keys()], ['POST /v1/generate', 'GET /v1/generations', 'GET /v1/generations/{id}'])
  t.same([...(await changedTo({ ...schemas.Generation.properties, size_class: { type: 'string' } }))], [])
})

t.test('a new option of documents and a new step after the print break nothing', async (t) => {
  const schemas: Record<string, { properties?: object }> = document.components.schemas
  /** Adds a field beside another one, in requests and in answers. The tool takes hours for both at once. */
  const addedBeside = async (field: string, ...names: string[]) => {
    const changed = Object.entries(schemas).filter(([, { properties = {} }]) => field in properties)
    t.hasStrict(new Set(changed.map(([name]) => name)), new Set(names))
    const withNew = changed.map(([name, { properties, ...schema }]) => {
      return [name, { ...schema, properties: { ...properties, new_field: { type: 'string' } } }]
    })
    t.strictSame([...(await brokenBy({ ...schemas, ...Object.fromEntries(withNew) }))], [], names.join())
  }
  await addedBeside('print_background', 'GenerateOptions', 'TemplateOptions', 'TemplateOptionsResponse')
  await addedBeside('conformance', 'OutputOptions', 'OutputOptionsResponse')
})
