import { buffer } from 'node:stream/consumers'
import { RenderInput, type RenderPdf } from '@platen/shared/contracts/generation.ts'
import { parseJson } from '@platen/shared/messaging/command-codec.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { DomainError, fail } from '@platen/shared/runtime/errors.ts'
import { Compile } from 'typebox/compile'

const schema = Compile(RenderInput)

/** The input, from the command itself or by its claim check. Throws DomainError when it is gone or no input. */
export async function readInput(objects: ObjectStore, { input, input_key }: RenderPdf['data']): Promise<RenderInput> {
  if (input) return input
  if (input_key === undefined) return fail('INTERNAL_ERROR', 'The command carries no input')
  const stored = parseJson(await buffer(await claim(objects, input_key)))
  return schema.Check(stored) ? stored : fail('INTERNAL_ERROR', 'The stored input cannot be read')
}

async function claim(objects: ObjectStore, key: string) {
  try {
    return await objects.get(key)
  } catch (cause) {
    if (!(cause instanceof ObjectNotFound)) throw cause
    throw new DomainError('GENERATION_EXPIRED', 'The input of this generation is no longer stored', { cause })
  }
}
