import manifest from '../../../clients/typescript/package.json' with { type: 'json' }
import { type Generator, openapiGenerator } from '../generator.ts'

const { dependencies, devDependencies } = manifest
const npm = (...packages: string[]) => `npm install --no-audit --no-fund --loglevel=error ${packages.join(' ')}`
const typescript = 'typescript@5.9.3'
const node = '@types/node@24.19.2'

export const typescriptGenerators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    version: devDependencies['openapi-typescript'],
    flags: `with openapi-fetch ${dependencies['openapi-fetch']} and TypeScript 5`,
    needs: [],
    calls: 'openapi-typescript',
    // @platen/client is made with it, so that it is here already, at this version.
    install: 'ln -s "$REPOSITORY/clients/typescript/node_modules" node_modules',
    generate: 'node_modules/.bin/openapi-typescript "$DOCUMENT" -o platen.d.ts',
    compile: 'node_modules/.bin/tsc -p . --typeRoots "$REPOSITORY/node_modules/@types"',
    call: 'node ten-calls.ts',
  },
  openapiGenerator('typescript-fetch', {
    flags: '--additional-properties=modelPropertyNaming=original,importFileExtension=.js',
    needs: ['npm'],
    calls: 'typescript-fetch',
    install: npm(typescript, node),
    compile: 'npx --no-install tsc -p .',
    // The client has syntax that Node does not strip, so that it is compiled.
    call: 'node compiled/ten-calls.js',
  }),
]
