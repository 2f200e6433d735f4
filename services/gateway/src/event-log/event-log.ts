import { resource } from '../http/resource.ts'
import { type FollowRouteOptions, followRoute } from './follow-route.ts'
import { type LogRoutesOptions, logRoutes } from './log-routes.ts'

/** The recorded events, for operators. */
export const eventLog = resource<LogRoutesOptions & FollowRouteOptions>('event-log', async (app, options) => {
  app.register(logRoutes, options)
  app.register(followRoute, options)
})
