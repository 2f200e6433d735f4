import { access, rename } from 'node:fs/promises'

/** A folder is away, as if its disk was not mounted, and comes back. What was made in its place meanwhile is moved aside. */
export async function takeAway(folder: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const away = `${folder}.away`
  await rename(folder, away)
  try {
    await meanwhile()
  } finally {
    const isMade = await access(folder).then(
      () => true,
      () => false,
    )
    if (isMade) await rename(folder, `${folder}.made-${Date.now()}`)
    await rename(away, folder)
  }
}
