/** Something of an export that is not taken, or is taken in another form. */
export interface Remark {
  /** Such as `templates/sales/Invoice`. */
  entity: string
  reason: string
}

/** What is to be said of an import. The same remark is kept once. */
export class Remarks {
  readonly #left = new Map<string, Remark>()
  readonly #changed = new Map<string, Remark>()

  /** Not taken: a document is printed without it, or cannot be printed. */
  left(entity: string, reason: string): void {
    this.#left.set(`${entity} ${reason}`, { entity, reason })
  }

  /** Taken in another form, so that a document may look different. */
  changed(entity: string, reason: string): void {
    this.#changed.set(`${entity} ${reason}`, { entity, reason })
  }

  get allLeft(): Remark[] {
    return [...this.#left.values()]
  }

  get allChanged(): Remark[] {
    return [...this.#changed.values()]
  }
}
