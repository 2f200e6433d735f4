import { InvalidName } from './event-store.ts'

const streamName = /^[a-z][a-z0-9]*-[\w.:-]{1,200}$/
const categoryName = /^[a-z][a-z0-9]*$/

/** Every adapter accepts the same names, so that streams can move from one store to another. */
export function assertStreamName(stream: string): void {
  if (!streamName.test(stream)) throw new InvalidName(`A stream name must be <category>-<id>, not ${quote(stream)}`)
}

export function assertCategories(categories: readonly string[]): void {
  if (categories.length === 0) throw new InvalidName('A list of categories must not be empty')
  for (const category of categories) {
    if (!categoryName.test(category)) {
      throw new InvalidName(`A category must be lower-case letters and digits, not ${quote(category)}`)
    }
  }
}

/** `template-tpl_1` is of the category `template`. Categories contain no hyphen. */
export function categoryOf(stream: string): string {
  return stream.slice(0, stream.indexOf('-'))
}

/** `template-tpl_1` is the stream of the aggregate `tpl_1`. */
export function aggregateIdOf(stream: string): string {
  return stream.slice(stream.indexOf('-') + 1)
}

function quote(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
}
