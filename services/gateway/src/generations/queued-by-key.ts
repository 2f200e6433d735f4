/** The asynchronous generations of an API key in the queue `batch`. Later ones go to the overflow queue `backlog`. */
const maxInBatch = 8

/**
 * Chooses the queue of an asynchronous generation by how many of its API key have not ended. A gateway knows those that it has queued
 * itself since its start, which is enough to order them.
 */
export class QueuedByKey {
  readonly #keyOf = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Counts the generation until it has ended. */
  add(apiKeyId: string, generationId: string): 'batch' | 'backlog' {
    const count = this.#counts.get(apiKeyId) ?? 0
    if (!this.#keyOf.has(generationId)) {
      this.#keyOf.set(generationId, apiKeyId)
      this.#counts.set(apiKeyId, count + 1)
    }
    return count < maxInBatch ? 'batch' : 'backlog'
  }

  /** To be called when a generation has ended, also if another gateway has queued it. */
  ended(generationId: string): void {
    const apiKeyId = this.#keyOf.get(generationId)
    if (apiKeyId === undefined) return
    this.#keyOf.delete(generationId)
    const count = (this.#counts.get(apiKeyId) ?? 0) - 1
    if (count > 0) this.#counts.set(apiKeyId, count)
    else this.#counts.delete(apiKeyId)
  }

  has(generationId: string): boolean {
    return this.#keyOf.has(generationId)
  }
}
