import type { Schemas } from '../../api/client.ts'

export type ListedTemplate = Schemas['ListedTemplate']
