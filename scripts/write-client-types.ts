import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { typesOf } from '../clients/typescript/generate-types.ts'
import { goErrorCodes } from './clients/go-error-codes.ts'
import { goTypes } from './clients/go-types.ts'
import { pythonErrorCodes } from './clients/python-error-codes.ts'
import { pythonSyncFiles } from './clients/python-sync.ts'
import { pythonTypes } from './clients/python-types.ts'
import { clientSchemas, type Document, withoutCopies } from './clients/schemas.ts'

export const clientTypesPath = pathOf('clients/typescript/src/api-types.ts')

function pathOf(file: string): string {
  return fileURLToPath(new URL(`../${file}`, import.meta.url))
}

/** The generated file of the client in TypeScript. */
export function clientTypes(document: Document): Promise<string> {
  return typesOf(withoutCopies(document) as Parameters<typeof typesOf>[0])
}

/** The generated files of the clients in Python and Go. */
export function otherClientFiles(document: Document): { path: string; text: string }[] {
  const schemas = clientSchemas(document)
  return [
    { path: pathOf('clients/python/src/platen/types.py'), text: pythonTypes(schemas) },
    { path: pathOf('clients/python/src/platen/error_codes.py'), text: pythonErrorCodes() },
    { path: pathOf('clients/go/types.go'), text: goTypes(schemas) },
    { path: pathOf('clients/go/codes.go'), text: goErrorCodes() },
  ]
}

if (import.meta.main) {
  await using gateway = await startTestGateway()
  const { body: document } = await gateway.call('GET', '/openapi.json', { key: null })
  await writeFile(clientTypesPath, await clientTypes(document))
  const files = [...otherClientFiles(document as Document), ...pythonSyncFiles(pathOf(''))]
  for (const { path, text } of files) await writeFile(path, text)
}
