import { api, unwrap } from '../../api/client.ts'
import type { PagedList } from '../../api/paged-list.ts'
import { attempt } from '../../parts/attempt.ts'
import { confirm } from '../../parts/confirm.tsx'
import { Menu } from '../../parts/menu.tsx'
import { notify } from '../../parts/toasts.tsx'
import { navigate } from '../../router/address.ts'
import type { ListedTemplate } from './listed-template.ts'

interface TemplateActionsProps {
  template: ListedTemplate
  list: PagedList<ListedTemplate>
  onDuplicate(): void
}

/** What can be done with a template of the list. */
export function TemplateActions({ template, list, onDuplicate }: TemplateActionsProps) {
  const { id, name, version, deleted_at } = template
  const path = { idOrSlug: id }
  const without = () => list.update((items) => items.filter((item) => item.id !== id))
  const remove = async () => {
    const isConfirmed = await confirm({
      title: `Delete the template “${name}”?`,
      body: 'Requests that name it are refused from now on. Documents that were made stay. It can be restored from the list of deleted templates.',
      action: 'Delete template',
      tone: 'danger',
    })
    if (!isConfirmed) return
    await attempt(async () => {
      await unwrap(api.DELETE('/v1/templates/{idOrSlug}', { params: { path } }))
      without()
      notify(`“${name}” was deleted`)
    })
  }
  const restore = () =>
    attempt(async () => {
      // The deletion was a version, too.
      await unwrap(api.POST('/v1/templates/{idOrSlug}/restore', { params: { path }, body: { version: version - 1 } }))
      without()
      notify(`“${name}” was restored`)
    })
  const items =
    deleted_at !== undefined
      ? [{ text: 'Restore', icon: 'rotate-ccw' as const, run: () => void restore() }]
      : [
          { text: 'Versions', icon: 'history' as const, run: () => void navigate(`/templates/${id}/versions`) },
          { text: 'Generations', icon: 'printer' as const, run: () => void navigate(`/generations?template=${id}`) },
          { text: 'Duplicate', icon: 'copy' as const, run: onDuplicate },
          { text: 'Delete', icon: 'trash-2' as const, tone: 'danger' as const, run: () => void remove() },
        ]
  return <Menu label={`Actions of ${name}`} items={items} />
}
