import users, {
  type CreateReq,
  type CreateResp,
  type DetailsReq,
  type DetailsResp,
} from '@eventstore/db-client/generated/users_pb.js'
import { type handleServerStreamingCall, type handleUnaryCall, Metadata, status } from '@grpc/grpc-js'
import type { Access } from './access.ts'
import { failure } from './append.ts'

/** Creates users. Only administrators may. */
export function createUserHandler(access: Access): handleUnaryCall<CreateReq, CreateResp> {
  return ({ metadata, request }, callback) => {
    try {
      if (!access.isAdministrator(metadata)) return callback(failure(status.PERMISSION_DENIED, 'Access Denied'))
      const name = request.getOptions()?.getLoginName() ?? ''
      if (access.has(name)) return callback(conflict(name))
      access.setUser(name, request.getOptions()?.getPassword() ?? '')
      callback(null, new users.CreateResp())
    } catch (err) {
      callback(err as Error)
    }
  }
}

/** Tells an administrator of a user, or that there is none. */
export function userDetailsHandler(access: Access): handleServerStreamingCall<DetailsReq, DetailsResp> {
  return (call) => {
    try {
      if (!access.isAdministrator(call.metadata)) throw failure(status.PERMISSION_DENIED, 'Access Denied')
      const name = call.request.getOptions()?.getLoginName() ?? ''
      if (!access.has(name)) throw notFound(name)
      call.write(new users.DetailsResp().setUserDetails(new users.DetailsResp.UserDetails().setLoginName(name)))
      call.end()
    } catch (err) {
      call.emit('error', err)
    }
  }
}

function notFound(name: string) {
  const metadata = new Metadata()
  metadata.set('exception', 'user-not-found')
  metadata.set('login-name', name)
  return failure(status.NOT_FOUND, `User '${name}' is not found.`, metadata)
}

function conflict(name: string) {
  const metadata = new Metadata()
  metadata.set('exception', 'user-conflict')
  metadata.set('login-name', name)
  return failure(status.FAILED_PRECONDITION, `User '${name}' already exists.`, metadata)
}
