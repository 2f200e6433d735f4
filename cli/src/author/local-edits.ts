import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ifFound, type Partial, sameContent, type Template, type TemplateLibrary } from './library.ts'
import { partialPath, readPartialFile } from './partial-files.ts'
import { hasTemplate, readTemplate } from './template-folder.ts'

interface Pulled {
  templates: readonly Template[]
  partials: readonly Partial[]
}

/** The paths that a pull into the folder would overwrite, and that differ from the version that was pulled or pushed last. */
export async function localEdits(
  library: TemplateLibrary,
  folder: string,
  { templates, partials }: Pulled,
): Promise<string[]> {
  const edited: string[] = []
  for (const template of templates) {
    const path = join(folder, template.slug)
    if (hasTemplate(path) && (await isEdited(library, path, template))) edited.push(path)
  }
  for (const { name, html } of partials) {
    if (!existsSync(partialPath(folder, name))) continue
    const file = await readPartialFile(folder, name)
    if (file.html === html) continue
    const { version } = file
    const before = version === undefined ? undefined : await ifFound(library.partialVersion(name, version))
    if (before?.html !== file.html) edited.push(partialPath(folder, name))
  }
  return edited
}

async function isEdited(library: TemplateLibrary, path: string, template: Template): Promise<boolean> {
  // A file that cannot be read was not written by a pull.
  const local = await readTemplate(path).catch(() => undefined)
  if (local === undefined) return true
  const { content, origin } = local
  if (sameContent(template, content)) return false
  const { id, version } = origin
  if (id === undefined || version === undefined) return true
  const before = await ifFound(library.template(id, version))
  return before === undefined || !sameContent(before, content)
}
