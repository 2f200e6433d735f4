import type { AssetLibraries } from '@platen/domain/asset/asset-libraries.ts'
import type { ToolSource } from '@platen/domain/generation/generation.ts'
import { pdfType } from '@platen/domain/generation/job-details.ts'
import type { PdfSource, ToolBody } from '@platen/domain/generation/tool-requests.ts'
import { fail } from '@platen/domain/http/errors.ts'
import { objectKeys } from '@platen/domain/streams/subjects.ts'
import type { FastifyRequest } from 'fastify'
import { requireScope } from '../api-keys/authentication.ts'
import { type Caller, type GenerationFinder, generationNotFound } from '../generations/find-generation.ts'
import { invalidField } from '../http/errors/field-problems.ts'
import { sourcesOf } from './check-tool.ts'

export interface SourceOptions {
  finder: Pick<GenerationFinder, 'find'>
  libraries: Pick<AssetLibraries, 'of'>
}

/** Generations that are looked up at the same time. */
const atOnce = 20

/** A key that may generate may not read the PDFs of others through an operation. Throws FORBIDDEN. */
export function requireSourceScope(request: FastifyRequest, body: ToolBody): void {
  if (sourcesOf(body).some(({ source }) => source.generation !== undefined)) requireScope(request, 'generations:read')
}

/**
 * Where the bytes of the sources are, and their hashes, so that later changes of an asset do not count. Throws
 * GENERATION_NOT_FOUND, ASSET_NOT_FOUND, CONFLICT, GENERATION_ERASED and VALIDATION_ERROR.
 */
export async function resolveSources(options: SourceOptions, body: ToolBody, caller: Caller): Promise<ToolSource[]> {
  const sources = sourcesOf(body)
  const resolved: ToolSource[] = []
  for (let at = 0; at < sources.length; at += atOnce) {
    const some = sources.slice(at, at + atOnce)
    resolved.push(...(await Promise.all(some.map(({ field, source }) => resolve(options, { field, source, caller })))))
  }
  return resolved
}

interface Resolving {
  field: string
  source: PdfSource
  caller: Caller
}

async function resolve(options: SourceOptions, { field, source, caller }: Resolving): Promise<ToolSource> {
  const { generation, asset, content_base64, password } = source
  const secret = password === undefined ? {} : { password }
  if (generation !== undefined) return { ...(await ofGeneration(options, field, generation, caller)), ...secret }
  if (asset !== undefined) return { ...(await ofAsset(options, field, asset, caller)), ...secret }
  if (content_base64 === undefined) return invalidField(field, 'names no PDF')
  return { name: 'upload', content_base64, ...secret }
}

async function ofGeneration({ finder }: SourceOptions, field: string, id: string, caller: Caller): Promise<ToolSource> {
  const record = await finder.find(id, caller)
  if (!record) throw generationNotFound(id)
  const { state } = record
  if (state.status !== 'completed')
    return fail('CONFLICT', `${field}: generation ${id} is ${state.status}; it has no PDF`)
  if (state.erased) {
    const { erased_at } = state.erased
    return fail('GENERATION_ERASED', `${field}: the content of generation ${id} was erased`, { erased_at })
  }
  const { object_key, sha256, media_type = pdfType } = state.result
  if (media_type !== pdfType) invalidField(`${field}.generation`, `must be one with a PDF; this one is ${media_type}`)
  return { name: id, object_key, sha256 }
}

async function ofAsset({ libraries }: SourceOptions, field: string, name: string, caller: Caller): Promise<ToolSource> {
  const { ownerId } = caller
  const found = (await libraries.of(ownerId)).find(name)
  if (!found) return fail('ASSET_NOT_FOUND', `${field}: asset ${name} does not exist`)
  const { type, sha256, object } = found
  if (type !== pdfType) invalidField(`${field}.asset`, `must be a PDF; ${name} is ${type}`)
  return { name, object_key: objectKeys.asset(ownerId, sha256, object), sha256 }
}
