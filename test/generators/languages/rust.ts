import { type Generator, openapiGenerator } from '../generator.ts'

const progenitor = '0.15.1'

export const rustGenerators: readonly Generator[] = [
  openapiGenerator('rust', {
    flags: '',
    needs: ['cargo'],
    calls: 'openapi-generator-rust',
    compile: 'CARGO_TARGET_DIR="$TOOLS/target" cargo check -q',
    call: 'CARGO_TARGET_DIR="$TOOLS/target" cargo run -q',
  }),
  {
    name: 'progenitor',
    version: progenitor,
    flags: '',
    document: '/openapi-3.0.json',
    needs: ['cargo'],
    calls: 'progenitor',
    install: `test -x "$TOOLS/bin/cargo-progenitor" || cargo install -q --locked --debug --root "$TOOLS" cargo-progenitor@${progenitor}`,
    generate: '"$TOOLS/bin/cargo-progenitor" progenitor -i "$DOCUMENT" -o client -n platen-client -v 0.1.0',
    compile: 'CARGO_TARGET_DIR="$TOOLS/target" cargo check -q',
    call: 'CARGO_TARGET_DIR="$TOOLS/target" cargo run -q',
  },
]
