import { load, printPdf } from '../bare-chromium.ts'
import { openReusedPages } from '../reused-page.ts'

export interface Printer extends AsyncDisposable {
  /** Waits for a page that is free. */
  print(html: string): Promise<Buffer>
}

/** Prints on the pages of strategy (b). */
export async function openPrinter(chromiumPath: string, maxConcurrency: number): Promise<Printer> {
  const { chromium, pages: free } = await openReusedPages({ chromiumPath, maxConcurrency })
  const queue: (() => void)[] = []
  return {
    async print(html) {
      while (free.length === 0) await new Promise<void>((resolve) => queue.push(resolve))
      const page = free.pop()
      if (!page) throw new Error('no page is free')
      try {
        await load(page, html)
        return await printPdf(page)
      } finally {
        free.push(page)
        queue.shift()?.()
      }
    },
    [Symbol.asyncDispose]: () => chromium[Symbol.asyncDispose](),
  }
}
