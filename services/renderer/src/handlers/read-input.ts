import { buffer } from 'node:stream/consumers'
import { RenderInput, type RenderPdf } from '@platen/shared/contracts/generation.ts'
import { parseJson } from '@platen/shared/messaging/command-codec.ts'
import { ObjectNotFound, type ObjectStore } from '@platen/shared/object-store/object-store.ts'
import { DomainError, fail } from '@platen/shared/runtime/errors.ts'
import { Compile } from 'typebox/compile'

const schema = Compile(RenderInput)

/** Reads the input from the command, or from the object store by its key. Throws DomainError if it is missing or invalid. */
export async function readInput(objects: ObjectStore, { input, input_key }: RenderPdf['data']): Promise<RenderInput> {
  if (input) return input
  if (input_key === undefined) return fail('INTERNAL_ERROR', 'The command has neither input nor input_key')
  const stored = parseJson(await buffer(await getObject(objects, input_key)))
  return schema.Check(stored) ? stored : fail('INTERNAL_ERROR', 'The stored input is invalid')
}

async function getObject(objects: ObjectStore, key: string) {
  try {
    return await objects.get(key)
  } catch (cause) {
    if (!(cause instanceof ObjectNotFound)) throw cause
    throw new DomainError('GENERATION_EXPIRED', 'The input of this generation is no longer stored', { cause })
  }
}
