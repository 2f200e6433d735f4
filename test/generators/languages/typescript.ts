import { type Generator, openapiGenerator } from '../generator.ts'

const npm = (...packages: string[]) => `npm install --no-audit --no-fund --loglevel=error ${packages.join(' ')}`
const typescript = 'typescript@5.9.3'
const node = '@types/node@24.19.2'

export const typescriptGenerators: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    version: '7.13.0',
    flags: 'with openapi-fetch 0.17.0 and TypeScript 5',
    needs: ['npm'],
    calls: 'openapi-typescript',
    install: npm('openapi-typescript@7.13.0', 'openapi-fetch@0.17.0', typescript, node),
    generate: 'npx --no-install openapi-typescript "$DOCUMENT" -o platen.d.ts',
    compile: 'npx --no-install tsc -p .',
    call: 'node ten-calls.ts',
  },
  openapiGenerator('typescript-fetch', {
    flags: '--additional-properties=modelPropertyNaming=original,importFileExtension=.js',
    needs: ['npm'],
    calls: 'typescript-fetch',
    install: npm(typescript, node),
    compile: 'npx --no-install tsc -p .',
    // It has syntax that Node does not strip.
    call: 'node compiled/ten-calls.js',
  }),
]
