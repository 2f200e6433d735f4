import { type Generator, openapiGenerator } from '../generator.ts'

const codegen = 'v2.8.2'

export const goGenerators: readonly Generator[] = [
  {
    name: 'oapi-codegen',
    version: codegen,
    flags: '-generate types,client',
    needs: ['go'],
    calls: 'oapi-codegen',
    install: `GOBIN="$TOOLS" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${codegen}`,
    generate:
      'mkdir -p platen && "$TOOLS/oapi-codegen" -generate types,client -package platen "$DOCUMENT" > platen/client.go',
    compile: 'go mod tidy && go vet ./...',
    call: 'go run .',
  },
  openapiGenerator('go', {
    flags: '',
    needs: ['go'],
    calls: 'openapi-generator-go',
    // Its own tests need another module.
    compile: 'rm -r client/test client/go.mod && go mod tidy && go vet ./...',
    call: 'go run .',
  }),
]
