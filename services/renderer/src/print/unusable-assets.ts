import { pictureProblems } from './assets/picture-problems.ts'
import type { Concern } from './concern.ts'

/** Assets and URLs that are known to be unusable before the document is loaded. */
export const unusableAssets: Concern = ({ job }) => ({
  after(_, warnings) {
    for (const { source, message } of [...(job.prepared?.problems ?? []), ...(job.unloadable ?? [])]) {
      warnings.add('RESOURCE_FAILED', message, source)
    }
    for (const message of pictureProblems(job)) warnings.add('RESOURCE_FAILED', message)
  },
})
