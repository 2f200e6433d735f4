/** A long text in the JSON of a message. */
export interface LongText {
  text: string
  payload: Uint8Array
  /** Start and end of its JSON in the payload, with the quotes. */
  start: number
  end: number
}

/** Beyond this size, the oldest texts are forgotten: other processes may have received their messages. */
const maxBytes = 16 * 2 ** 20

/**
 * Long texts of messages that this process has sent and will receive itself. Such a message is parsed without the text,
 * because parsing a text of 500 kB again takes as long as the rest of a short document.
 */
export class LongTexts {
  readonly #byId = new Map<string, LongText>()
  #bytes = 0
  #isReceiver = false

  /** To be called in a process that receives such messages. Other processes keep nothing. */
  receive(): void {
    this.#isReceiver = true
  }

  /** `id`: that of the message. */
  add(id: string, text: LongText): void {
    if (!this.#isReceiver) return
    this.#remove(id)
    this.#byId.set(id, text)
    this.#bytes += text.payload.byteLength
    for (const oldest of this.#byId.keys()) {
      if (this.#bytes <= maxBytes) break
      this.#remove(oldest)
    }
  }

  /** Returns, once, the text of the message with exactly these bytes. */
  take(id: string, payload: Uint8Array): LongText | undefined {
    const found = this.#remove(id)
    return found && Buffer.compare(found.payload, payload) === 0 ? found : undefined
  }

  #remove(id: string): LongText | undefined {
    const found = this.#byId.get(id)
    if (!found) return undefined
    this.#byId.delete(id)
    this.#bytes -= found.payload.byteLength
    return found
  }
}
