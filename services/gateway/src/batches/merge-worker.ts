import { parentPort } from 'node:worker_threads'
import { PDFDocument } from '@cantoo/pdf-lib'
import type { MergeResult, MergeTask } from './merge-protocol.ts'

parentPort?.on('message', async (task: MergeTask) => parentPort?.postMessage(await run(task)))

/** The pages of all files in one. What belongs to a whole file, such as its outline and its tags, is lost. */
async function run({ files, title }: MergeTask): Promise<MergeResult> {
  try {
    const merged = await PDFDocument.create()
    merged.setTitle(title)
    merged.setProducer('Platen')
    for (const file of files) {
      const document = await PDFDocument.load(file)
      for (const page of await merged.copyPages(document, document.getPageIndices())) merged.addPage(page)
    }
    return { pdf: await merged.save() }
  } catch (err) {
    return { failed: err instanceof Error ? err.message : String(err) }
  }
}
