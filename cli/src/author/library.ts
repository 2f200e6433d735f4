import { isDeepStrictEqual } from 'node:util'
import { type components, Platen, PlatenError, unwrap } from '@platen/client'
import { authoredFieldNames } from '@platen/domain/template/template-content.ts'
import { parseExact, withRawIntegers } from '@platen/foundation/json/exact-json.ts'
import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { requiredText, text } from '@platen/foundation/settings/setting.ts'
import { publicUrlForm } from '@platen/foundation/settings/setting-forms.ts'

type Schemas = components['schemas']
export type Template = Schemas['Template']
/** A template in a list. Without `summary` the list has all fields. */
export type ListedTemplate = Template & { deleted_at?: string }
export type Content = Schemas['PutTemplateRequest']
export type Partial = Required<Schemas['ListedPartial']>

/** Whether the fields that an author writes are equal to this content. */
export function sameContent(template: Template, content: Content): boolean {
  const authored = authoredFieldNames.flatMap((field) =>
    template[field] === undefined ? [] : [[field, template[field]]],
  )
  return isDeepStrictEqual(Object.fromEntries(authored), content)
}

/** The option of each verb of authors. */
export const ownerOption = {
  owner: { value: 'OWNER', about: 'another owner, by id or name; needs a key with the scope admin' },
} as const

/** Settings of the verbs of authors. */
export const authorSettings = {
  url: text('PLATEN_URL', {
    default: 'http://127.0.0.1:3000',
    form: publicUrlForm,
    meaning: 'the URL of the gateway, for `platen templates`, `platen partials`, `platen assets` and `platen batches`',
  }),
  key: requiredText('API_KEY', {
    secret: true,
    meaning:
      'the API key of an author, with the scopes `templates:read` and `templates:write`; for batches `generate` and `generations:read`, and for `platen templates diff --pages` `generate`',
  }),
}

/** Opens the library of the key's owner, or of another one. Throws if API_KEY is not set. */
export async function openLibrary(
  env: Environment,
  owner: string | undefined,
  options: OpenOptions = {},
): Promise<TemplateLibrary> {
  const { platen, ownerId } = await openApi(env, owner, options)
  return new TemplateLibrary(platen, ownerId)
}

export interface OpenOptions {
  /** How long a call may take. Default: that of the client. */
  timeoutMs?: number
}

/** The API, and the id of the owner if it is another one than that of the key. Throws if API_KEY is not set. */
export async function openApi(
  env: Environment,
  owner: string | undefined,
  options: OpenOptions = {},
): Promise<{ platen: Platen; ownerId: string | undefined }> {
  const { url, key } = readConfig(env, (settings) => settings.read(authorSettings))
  const platen = new Platen({ url, key, retries: 2, ...options })
  return { platen, ownerId: owner === undefined ? undefined : await findOwner(platen, owner) }
}

export interface ComparedVersions {
  /** A version or a label. Default: the version before `to`. */
  from?: string
  /** A version or a label. Default: the newest version. */
  to?: string
  /** Default: the sample data of the newer version. */
  data?: unknown
  /** With a picture of both sides of each page that is not the same. */
  images: boolean
}

/** The templates and partials of an owner, over HTTP. Methods throw the message and the code of a refusal. */
export class TemplateLibrary {
  readonly #api: Platen['api']
  /** Query parameters of every request. */
  readonly #query: { owner?: string }

  constructor({ api }: Platen, owner: string | undefined) {
    this.#api = api
    this.#query = owner === undefined ? {} : { owner }
  }

  /** Templates, sorted by slug. A summary has no sources, data and samples; a deleted template has no content. */
  async templates(options: { summary: boolean; deleted?: boolean }): Promise<ListedTemplate[]> {
    const query = { ...this.#query, ...options, limit: 100 }
    const all = await allPages<ListedTemplate>((page) =>
      this.#api.GET('/v1/templates', { params: { query: { ...query, ...page } }, parseAs: 'text' }),
    )
    return all.sort((a, b) => (a.slug < b.slug ? -1 : 1))
  }

  /** A version, by default the newest one. */
  async template(idOrSlug: string, version?: number): Promise<Template> {
    const query = this.#query
    const call =
      version === undefined
        ? this.#api.GET('/v1/templates/{idOrSlug}', { params: { path: { idOrSlug }, query }, parseAs: 'text' })
        : this.#api.GET('/v1/templates/{idOrSlug}/versions/{version}', {
            params: { path: { idOrSlug, version }, query },
            parseAs: 'text',
          })
    return parseContent(await answered(call)) as Template
  }

  /** Prints two versions with the same data, and compares their pages. */
  comparePages(idOrSlug: string, { data, ...query }: ComparedVersions): Promise<Schemas['TemplateComparison']> {
    const inPath = { idOrSlug }
    const asked = { ...this.#query, ...query }
    if (data === undefined) {
      // The client repeats a GET if it was answered with a 503.
      const params = { path: inPath, query: { ...asked, pages: true } }
      return answered(this.#api.GET('/v1/templates/{idOrSlug}/compare', { params }))
    }
    const body = { data: data as NonNullable<Schemas['ComparePagesRequest']['data']> }
    return answered(
      this.#api.POST('/v1/templates/{idOrSlug}/compare', { params: { path: inPath, query: asked }, body }),
    )
  }

  /** Oldest first, also of a deleted template, by its id. */
  async versions(idOrSlug: string): Promise<Schemas['TemplateVersionSummary'][]> {
    const path = { idOrSlug }
    const all = await allPages<Schemas['TemplateVersionSummary']>((page) => {
      const params = { path, query: { ...this.#query, ...page, limit: 100 } }
      return this.#api.GET('/v1/templates/{idOrSlug}/versions', { params, parseAs: 'text' })
    })
    return all.reverse()
  }

  /** Creates the template, or replaces its whole content. Refused unless it is at this version; undefined: if it exists. */
  putTemplate(slug: string, ifVersion: number | undefined, body: Content): Promise<Template> {
    const header = ifVersion === undefined ? { 'if-none-match': '*' } : ifMatch(ifVersion)
    const params = { path: { slug }, query: this.#query, header }
    return answered(this.#api.PUT('/v1/templates/by-slug/{slug}', { params, body }))
  }

  /** Makes a version the newest again. Refused if the template is at another version than `ifVersion`. */
  restoreTemplate(idOrSlug: string, version: number, ifVersion: number): Promise<Template> {
    const params = { path: { idOrSlug }, query: this.#query, header: ifMatch(ifVersion) }
    return answered(this.#api.POST('/v1/templates/{idOrSlug}/restore', { params, body: { version } }))
  }

  /** All assets, sorted by name. */
  assets(): Promise<Schemas['Asset'][]> {
    return allPages<Schemas['Asset']>((page) => {
      const query = { ...this.#query, ...page, limit: 100 }
      return this.#api.GET('/v1/assets', { params: { query }, parseAs: 'text' })
    })
  }

  /** The type comes from the bytes and the name. */
  putAsset(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<Schemas['Asset']> {
    return answered(
      this.#api.PUT('/v1/assets/{name}', {
        params: { path: { name }, query: this.#query },
        // The document has no type for bytes.
        body: '',
        bodySerializer: () => bytes,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    )
  }

  /** All partials, sorted by name. */
  async partials(): Promise<Partial[]> {
    return allPages<Partial>((page) => {
      const query = { ...this.#query, ...page, limit: 100 }
      return this.#api.GET('/v1/partials', { params: { query }, parseAs: 'text' })
    })
  }

  /** Oldest first, also of a deleted partial. */
  async partialVersions(idOrName: string): Promise<Schemas['PartialVersionPage']['data']> {
    const path = { idOrName }
    const all = await allPages<Schemas['PartialVersionPage']['data'][number]>((page) => {
      const params = { path, query: { ...this.#query, ...page, limit: 100 } }
      return this.#api.GET('/v1/partials/{idOrName}/versions', { params, parseAs: 'text' })
    })
    return all.reverse()
  }

  async partialVersion(idOrName: string, version: number): Promise<Schemas['Partial']> {
    const params = { path: { idOrName, version }, query: this.#query }
    return answered(this.#api.GET('/v1/partials/{idOrName}/versions/{version}', { params }))
  }

  createPartial(name: string, html: string): Promise<Partial> {
    return answered(this.#api.POST('/v1/partials', { params: { query: this.#query }, body: { name, html } }))
  }

  /** Refused if the partial is at another version. */
  updatePartial(name: string, ifVersion: number, html: string): Promise<Partial> {
    const params = { path: { idOrName: name }, query: this.#query, header: ifMatch(ifVersion) }
    return answered(this.#api.PATCH('/v1/partials/{idOrName}', { params, body: { html } }))
  }
}

const ifMatch = (version: number) => ({ 'if-match': `"${version}"` })

/** The id of the owner with this id, or with this name if only one has it. */
async function findOwner({ api }: Platen, idOrName: string): Promise<string> {
  if (idOrName.startsWith('own_')) return idOrName
  const owners = await allPages<Schemas['Owner']>((page) =>
    api.GET('/v1/owners', { params: { query: { ...page, limit: 100 } }, parseAs: 'text' }),
  )
  const named = owners.filter(({ name }) => name === idOrName)
  const [found, another] = named
  if (!found) throw new Error(`there is no owner ${idOrName}`)
  if (another) throw new Error(`${named.length} owners are named ${idOrName}; give the id`)
  return found.id
}

/**
 * Like JSON.parse, but integers that a JavaScript number cannot hold keep their digits when JSON.stringify writes them
 * again.
 */
export const parseContent = (text: string): unknown => withRawIntegers(parseExact(text))

type Answer<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>

async function allPages<Item>(get: (page: { cursor?: string }) => Answer<string>): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | undefined; ; ) {
    const text = await answered(get(cursor === undefined ? {} : { cursor }))
    const page = parseContent(text) as { data: Item[]; next_cursor?: string }
    items.push(...page.data)
    if (page.next_cursor === undefined) return items
    cursor = page.next_cursor
  }
}

export async function answered<Data>(call: Answer<Data>): Promise<NonNullable<Data>> {
  try {
    return await unwrap(call)
  } catch (err) {
    if (!(err instanceof PlatenError)) throw err
    const remedy = err.code === 'NETWORK_ERROR' ? '; see that Platen runs and that PLATEN_URL is right' : ''
    throw new Error(`${err.message} (${err.code})${remedy}`, { cause: err })
  }
}

/** The result, or undefined if the API answers that it does not exist. */
export async function ifFound<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found
  } catch (err) {
    if ((err as Error).cause instanceof PlatenError && ((err as Error).cause as PlatenError).status === 404)
      return undefined
    throw err
  }
}
