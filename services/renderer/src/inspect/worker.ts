import { type DocumentTexts, inspectTexts, type TextTraits } from './inspect-texts.ts'

/** What the thread pool calls for each task: the default export of its file. */
// biome-ignore lint/style/noDefaultExport: the pool takes no other
export default (texts: DocumentTexts): TextTraits => inspectTexts(texts)
