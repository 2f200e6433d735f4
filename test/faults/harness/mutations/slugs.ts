import type { Mutation } from './mutation.ts'

const stalledRelease = 'the release of a slug stalls'

export const slugs: readonly Mutation[] = [
  {
    guard: 'who releases a slug takes its reservation over first',
    file: 'services/template/src/handlers/reserve-slug.ts',
    find: `  const { heldBy } = (await readSlug(holder, slug)).slug
  if (heldBy !== holder.templateId || (await isUsed(holder, slug))) return
  const by = randomUUID()
  await changeSlug(holder, slug, { type: 'ReserveSlug', by })
  if (await isUsed(holder, slug)) return
`,
    replace: "  const by = ''\n",
    also: [
      {
        file: 'shared/domain/src/template/slug.ts',
        find: 'return isLast || (isHeld && slug.heldBy !== data.template_id) ? []',
        replace: 'return isHeld ? []',
      },
      {
        file: 'shared/domain/src/template/slug.ts',
        find: 'return isLast ? [{',
        replace: 'return isHeld && slug.heldBy === data.template_id ? [{',
      },
    ],
    faults: [stalledRelease, stalledRelease, stalledRelease],
    test: 'services/template/src/slug-races.test.ts',
    invariant: 'I11',
  },
  {
    guard: 'who creates or restores a template looks at its slug again',
    file: 'services/template/src/handlers/keep-slug.ts',
    find: "  if (state.status === 'absent') return",
    replace: '  if (state) return',
    faults: [],
    // Under faults a process would have to be suspended for over a minute.
    test: 'services/template/src/slug-races.test.ts',
    invariant: 'test',
  },
]
