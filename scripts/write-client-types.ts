import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startTestGateway } from '@platen/test-support/gateway/test-gateway.ts'
import { typesOf } from '../packages/client/generate-types.ts'

export const clientTypesPath = fileURLToPath(new URL('../packages/client/src/api-types.ts', import.meta.url))

if (import.meta.main) {
  await using gateway = await startTestGateway()
  const { body: document } = await gateway.call('GET', '/openapi.json', { key: null })
  await writeFile(clientTypesPath, await typesOf(document))
}
