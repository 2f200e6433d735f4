import { RenderInput } from '@platen/domain/generation/generation.ts'
import { Compile } from 'typebox/compile'
import { refuse } from '../answers/refused.ts'

const compile = () => Compile(RenderInput)
let schema: ReturnType<typeof compile> | undefined

/** Answers 400 for an input that no renderer would read, with the path of what is wrong. */
export function checkInput(input: RenderInput): void {
  // Compiled for the first request.
  schema ??= compile()
  if (schema.Check(input)) return
  const [first] = schema.Errors(input)
  refuse(400, `Invalid form data: ${first?.instancePath || '/'} ${first?.message}`)
}
