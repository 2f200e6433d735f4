import type { DefaultTheme } from 'vitepress'

type Item = DefaultTheme.SidebarItem

/** A section of docs/README.md with its pages. */
export interface Section {
  name: string
  /** A group with a name has items of its own. */
  items: Item[]
}

/** The sections of the site, from the list of pages in docs/README.md: its headings, the names of groups, and the links. */
export function sectionsOf(listing: string): Section[] {
  const sections: Section[] = []
  let items: Item[] = []
  for (const line of listing.split('\n')) {
    const [, name] = /^## (.+)$/.exec(line) ?? []
    const [, group] = /^(\w[\w ]*):$/.exec(line) ?? []
    if (name !== undefined) {
      items = []
      sections.push({ name, items })
    } else if (group !== undefined) {
      items = []
      sections.at(-1)?.items.push({ text: group, items })
    } else {
      const pages = [...line.matchAll(/\[([^\]]+)\]\(([^)#\s]+)\.md/g)]
      items.push(...pages.map(([, text = '', path = '']) => ({ text: capitalized(text), link: linkOf(path) })))
    }
  }
  return sections
}

/** Each section has a folder. A page of another folder, such as an example, shows the sections. */
export function sidebarOf(sections: readonly Section[]): DefaultTheme.SidebarMulti {
  const ofFolders = sections.map(({ name, items }) => [`/${name.toLowerCase()}/`, [{ text: name, items }]])
  const all = sections.map(({ name, items }) => ({ text: name, link: firstLink(items) }))
  return { ...Object.fromEntries(ofFolders), '/': [{ text: 'Documentation', items: all }] }
}

export function firstLink([first]: readonly Item[]): string {
  return first?.link ?? firstLink(first?.items ?? [{ link: '/' }])
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `guides/paper` → `/guides/paper`, `../examples/README` → `/examples/`. */
const linkOf = (path: string) => `/${path.replace(/^\.\.\//, '').replace(/(^|\/)README$/, '$1')}`
