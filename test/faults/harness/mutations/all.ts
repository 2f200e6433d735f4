import { costs } from './costs.ts'
import { deliveries } from './deliveries.ts'
import { files } from './files.ts'
import { gateways } from './gateways.ts'
import { generations } from './generations.ts'
import { log } from './log.ts'
import type { Mutation } from './mutation.ts'
import { slugs } from './slugs.ts'
import { templates } from './templates.ts'
import { verbs } from './verbs.ts'

export const mutations: readonly Mutation[] = [
  ...[...generations, ...templates, ...slugs, ...files],
  ...[...deliveries, ...gateways, ...log, ...costs, ...verbs],
]
