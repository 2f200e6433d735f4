import type { RenderMode } from '../pages/prepared-page.ts'
import type { ScannedJob } from '../printing/print-job.ts'
import { hasFrames, needsScript } from './needs-script.ts'

/** Reused pages are for documents that need no script: those that are found to, and those that say so. */
export function chooseRenderMode({ markup, headerHtml = '', footerHtml = '', options }: ScannedJob): RenderMode {
  if (options.wait_for !== undefined) return 'scripted'
  // Headers and footers are printed by a page of Chromium's own, where its switches do not reach.
  if (options.javascript === 'on' || needsScript(headerHtml) || needsScript(footerHtml)) return 'scripted'
  return (options.javascript === 'off' ? hasFrames(markup) : needsScript(markup)) ? 'scripted' : 'static'
}
