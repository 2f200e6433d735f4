import { addresses } from './addresses.ts'
import { datagrams } from './datagrams.ts'
import { elements } from './elements.ts'
import { files } from './files.ts'
import { navigations } from './navigations.ts'
import type { Payload } from './payload.ts'
import { printing } from './printing.ts'
import { scripts } from './scripts.ts'
import { styles } from './styles.ts'
import { vectors } from './vectors.ts'

export const families = { elements, styles, vectors, scripts, datagrams, navigations, printing, files, addresses }

export const payloads: readonly Payload[] = Object.values(families).flat()
