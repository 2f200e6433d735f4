import { notify } from './toasts.tsx'
import { textOf } from './use-action.ts'

/** Does something with the API, or says why it could not be done. */
export async function attempt(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (err) {
    notify(textOf(err), 'bad')
  }
}
