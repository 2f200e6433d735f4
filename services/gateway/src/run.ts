import { type Environment, readConfig } from '@platen/foundation/settings/config.ts'
import { openBackingServices, readBackingServicesConfig } from '@platen/service-kit/host/backing-services.ts'
import { runProcess } from '@platen/service-kit/host/run-process.ts'
import { longestRequestMs, readGatewayConfig } from './config.ts'
import { startGateway } from './start.ts'

/** Runs a gateway as a process of its own, until a signal. Resolves to its exit code. */
export function runGateway(environment: Environment): Promise<number> {
  return runProcess('gateway', environment, async (context) => {
    const { env, log, resources, fail } = context
    const config = readConfig(env, (settings) => ({
      ...readGatewayConfig(settings),
      backingServices: readBackingServicesConfig(settings),
    }))
    context.setLongestWork(longestRequestMs(config))
    const services = await openBackingServices(config.backingServices, { service: 'gateway', log, resources, fail })
    await services.joined
    resources.use(await startGateway(config, services))
  })
}
