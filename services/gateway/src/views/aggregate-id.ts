/** The id of the aggregate of a stream: `template-tpl_…` → `tpl_…`. */
export function aggregateId(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}
