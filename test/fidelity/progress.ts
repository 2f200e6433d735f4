import type { Verdict } from './support/check-document.ts'

export interface Progress {
  done(verdict: Verdict): void
  end(summary: string): void
}

/** Names each document that differs as soon as it is found. A terminal also shows a counter. */
export function openProgress(total: number): Progress {
  const { stdout, stderr } = process
  let count = 0
  const clear = () => {
    if (stderr.isTTY) stderr.write('\r\u001b[K')
  }
  return {
    done({ name, outcome, differences, differing, error }) {
      count += 1
      clear()
      if (outcome !== 'same') {
        const what = error ?? differences.map(({ aspect }) => aspect).join(', ')
        stdout.write(`${outcome.padEnd(9)} ${name}  ${what}${differing > 0 ? ` (${differing})` : ''}\n`)
      }
      if (stderr.isTTY) stderr.write(`${count} of ${total}`)
    },
    end(summary) {
      clear()
      stdout.write(`${summary}\n`)
    },
  }
}
