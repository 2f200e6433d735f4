import type { BenchDocument } from './document.ts'
import { randomNumbers } from './random.ts'

/** The smallest document: an address and a bar code. */
export function label(): BenchDocument {
  const random = randomNumbers(1)
  const bars = Array.from({ length: 60 }, (_, index) => {
    const width = 1 + Math.floor(random() * 3)
    return `<rect x="${index * 4}" y="0" width="${width}" height="60"/>`
  })
  const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Label</title><style>
body { font: 14px sans-serif; margin: 0 }
.to { font-size: 22px; border: 2px solid; padding: 8mm; margin: 6mm 0 }
</style></head><body>
<p>From: Paper Mill, 4 Mill Lane, 8000 Zürich</p>
<div class="to">Mara Lindqvist<br>Storgatan 12<br>111 29 Stockholm<br>Sweden</div>
<svg width="240" height="60">${bars.join('')}</svg><p>00 3 4006381 333931 7</p>
</body></html>`
  return { name: 'label', what: 'one page, an address and a bar code', html, scripted: false }
}
