import { isAssetName } from '@platen/domain/asset/asset-name.ts'
import { isPartialName } from '@platen/domain/partial/partial.ts'
import { slugify } from '@platen/domain/template/slugify.ts'

/** Names in Platen for entities, by their path in jsreport. Two entities never get the same name. */
export class NewNames {
  readonly #used = new Map<string, string>()
  readonly #into: string

  /** `into`: the folder of assets; empty for none. */
  constructor(into: string) {
    this.#into = into
  }

  slug(path: string, key: string): string {
    return this.#unique('slug', slugify(path), key)
  }

  partial(path: string, key: string): string {
    const plain = slugify(path).slice(0, 50)
    return this.#unique('partial', isPartialName(plain) ? plain : `p-${plain}`, key)
  }

  /** Undefined for a name that no asset can have. */
  asset(path: string, key: string): string | undefined {
    const segments = path.split('/').map((part) => part.replaceAll(/[^A-Za-z0-9._@+-]/g, '-').replace(/^[.+-]+/, ''))
    const dot = path.lastIndexOf('.')
    const name = this.#unique('asset', [this.#into, ...segments].filter((part) => part !== '').join('/'), key, {
      extension: dot === -1 ? '' : path.slice(dot),
    })
    return isAssetName(name) ? name : undefined
  }

  #unique(kind: string, name: string, key: string, { extension = '' } = {}): string {
    const stem = name.slice(0, name.length - extension.length)
    for (let attempt = 1; ; attempt++) {
      const candidate = attempt === 1 ? name : `${stem}-${attempt}${extension}`
      const user = this.#used.get(`${kind}:${candidate}`)
      if (user !== undefined && user !== key) continue
      this.#used.set(`${kind}:${candidate}`, key)
      return candidate
    }
  }
}
