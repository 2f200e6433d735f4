import { genericFamiliesHtml, readGenericFamilies } from './generic-families.ts'
import { openPlainChromium, type PlainChromium } from './plain-chromium.ts'
import { type PlatenAccess, printByPlaten } from './platen-printer.ts'

/** Plain Chromium with the generic font families of a Platen: which fonts they are is a setting, not a defect. */
export async function openJudge(platen: PlatenAccess): Promise<PlainChromium> {
  const { pdf, error } = await printByPlaten(platen, { html: genericFamiliesHtml })
  if (!pdf) throw new Error(`Platen at ${platen.url} prints nothing: ${error}`)
  return openPlainChromium({ families: await readGenericFamilies(pdf) })
}
