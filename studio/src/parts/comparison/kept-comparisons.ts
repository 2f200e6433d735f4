import { ApiError } from '../../api/api-error.ts'
import { whenSignedOut } from '../../api/session-state.ts'
import { keepNewest } from '../keep-newest.ts'

/** Back and forward show the last comparisons at once. Each may have 32 MiB of pictures. */
const kept = new Map<string, unknown>()
const maxKept = 3
/** Codes of a comparison that may succeed without pictures. */
const dueToPictures: ReadonlySet<string> = new Set(['RENDER_LIMIT_EXCEEDED', 'PDF_TOO_COMPLEX'])
whenSignedOut(() => kept.clear())

/**
 * Compares two documents, with the pictures of their pages. The key names what is compared, the owner included. `isFresh`: also if the
 * result is known.
 */
export async function keptComparison<Compared>(
  key: string,
  compare: (images: boolean) => Promise<Compared>,
  { isFresh = false }: { isFresh?: boolean } = {},
): Promise<Compared> {
  const known = kept.get(key) as Compared | undefined
  if (known !== undefined && !isFresh) return known
  const compared = await compare(true).catch((err: unknown) => {
    // All pictures together may be too large to be sent. Each is then drawn when it is shown.
    if (err instanceof ApiError && dueToPictures.has(err.code)) return compare(false)
    throw err
  })
  keepNewest(kept, { key, value: compared, most: maxKept })
  return compared
}
