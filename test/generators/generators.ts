import type { Generator } from './generator.ts'
import { csharpGenerators } from './languages/csharp.ts'
import { goGenerators } from './languages/go.ts'
import { javaGenerators } from './languages/java.ts'
import { phpGenerators } from './languages/php.ts'
import { pythonGenerators } from './languages/python.ts'
import { rustGenerators } from './languages/rust.ts'
import { typescriptGenerators } from './languages/typescript.ts'

export const generators: readonly Generator[] = [
  ...pythonGenerators,
  ...goGenerators,
  ...typescriptGenerators,
  ...javaGenerators,
  ...phpGenerators,
  ...csharpGenerators,
  ...rustGenerators,
]
