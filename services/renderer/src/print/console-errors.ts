import type { Concern } from './concern.ts'

export const consoleErrors: Concern = ({ page, record, ending }) => ({
  async after(_, warnings) {
    for (const complaint of (await record?.complaints(ending.signal)) ?? []) {
      warnings.add('CONSOLE_ERROR', page.proxy.origin.authorText(complaint))
    }
  },
})
