import { keepYoungGenerationSmall } from '@platen/service-kit/host/young-generation.ts'

keepYoungGenerationSmall()
const { runGateway } = await import('./run.ts')
process.exit(await runGateway(process.env))
