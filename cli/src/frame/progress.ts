/** Shows the progress of a command in one line of a terminal. */
export interface Progress extends Disposable {
  /** `total`, if it is known, makes it a percentage. */
  at(count: number, total?: number): void
}

export interface Terminal {
  isTTY: boolean
  write(text: string): unknown
}

const everyMs = 100
const barWidth = 24

/** Writes nothing unless the output is a terminal. Disposal removes the line. */
export function showProgress(label: string, terminal: Terminal): Progress {
  if (!terminal.isTTY) return { at() {}, [Symbol.dispose]() {} }
  const startedAt = performance.now()
  let shownAt = Number.NEGATIVE_INFINITY
  return {
    at(count, total) {
      const now = performance.now()
      if (now - shownAt < everyMs) return
      shownAt = now
      terminal.write(`\r\u001b[K${progressLine(label, { count, total, elapsedMs: now - startedAt })}`)
    },
    [Symbol.dispose]() {
      if (shownAt > 0) terminal.write('\r\u001b[K')
    },
  }
}

/** `rebuild  [######------]  50 %  1000 of 2000, 400/s` */
export function progressLine(
  label: string,
  { count, total, elapsedMs }: { count: number; total?: number | undefined; elapsedMs: number },
): string {
  const rate = elapsedMs > 0 ? Math.round((count / elapsedMs) * 1_000) : 0
  if (total === undefined || total === 0) return `${label}  ${count}, ${rate}/s`
  const share = Math.min(1, count / total)
  const done = Math.round(share * barWidth)
  const bar = `${'#'.repeat(done)}${'-'.repeat(barWidth - done)}`
  return `${label}  [${bar}]  ${Math.floor(share * 100)} %  ${count} of ${total}, ${rate}/s`
}
