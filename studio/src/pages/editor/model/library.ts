import { type Signal, signal } from '@preact/signals'
import { errorOf } from '../../../api/api-error.ts'
import { api, apiUrl, type Schemas, send, unwrap } from '../../../api/client.ts'
import type { Page } from '../../../api/paged-list.ts'

export type Asset = Schemas['Asset']
export type Partial = Schemas['ListedPartial']
export type Helper = Schemas['HelperList']['data'][number]

/** Of a list, so many pages of 100 are loaded. */
const maxPages = 20

/** What a template may call and use: the partials, assets and helpers of its owner. */
export class Library {
  readonly partials = signal<readonly Partial[]>([])
  readonly assets = signal<readonly Asset[]>([])
  readonly helpers = signal<readonly Helper[]>([])
  /** Why one of the lists could not be loaded. */
  readonly error = signal<unknown>(undefined)

  async load(): Promise<void> {
    const lists = [this.loadPartials(), this.loadAssets(), this.#loadHelpers()]
    const results = await Promise.allSettled(lists)
    this.error.value = results.find((result) => result.status === 'rejected')?.reason
  }

  async loadAssets(): Promise<void> {
    await loadAll(this.assets, (query) => unwrap(api.GET('/v1/assets', { params: { query } })))
  }

  async loadPartials(): Promise<void> {
    await loadAll(this.partials, (query) =>
      unwrap(api.GET('/v1/partials', { params: { query: { ...query, summary: true } } })),
    )
  }

  async #loadHelpers(): Promise<void> {
    const { data } = await unwrap(api.GET('/v1/helpers'))
    this.helpers.value = data
  }
}

/** The list is shown when it is whole. */
async function loadAll<Item>(
  list: Signal<readonly Item[]>,
  load: (query: { limit: number; cursor?: string }) => Promise<Page<Item>>,
): Promise<void> {
  const items: Item[] = []
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { data, next_cursor } = await load({ limit: 100, ...(cursor !== undefined && { cursor }) })
    items.push(...data)
    cursor = next_cursor
    if (cursor === undefined) break
  }
  list.value = items
}

const pathOf = (name: string) => `/v1/assets/${name.split('/').map(encodeURIComponent).join('/')}`

/** The URL of the bytes. Another content has another URL. */
export const contentUrl = ({ name, version }: Asset) => apiUrl(`${pathOf(name)}/content`, { version })

/** The name of a file as the name of an asset. */
export function assetName(file: string): string {
  return (
    file
      .replaceAll(/[^A-Za-z0-9._@+-]+/g, '-')
      .replace(/^[.+-]+/, '')
      .slice(-200) || 'file'
  )
}

interface Upload {
  name: string
  file: Blob
  /** Also if the name is in use; else that is PRECONDITION_FAILED. */
  replaces: boolean
  /** Default: the one that is looked at. */
  owner?: string
}

/** Stores a file as an asset. */
export async function uploadAsset({ name, file, replaces, ...query }: Upload): Promise<Asset> {
  const headers = { 'content-type': 'application/octet-stream', ...(!replaces && { 'if-none-match': '*' }) }
  const url = new URL(apiUrl(pathOf(name), query), location.origin)
  const response = await send(new Request(url, { method: 'PUT', headers, body: file }))
  const answer: unknown = await response.json().catch(() => undefined)
  if (!response.ok) throw errorOf(answer, response)
  return answer as Asset
}
