import users, { type CreateReq, type CreateResp } from '@eventstore/db-client/generated/users_pb.js'
import { type handleUnaryCall, Metadata, status } from '@grpc/grpc-js'
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

function conflict(name: string) {
  const metadata = new Metadata()
  metadata.set('exception', 'user-conflict')
  metadata.set('login-name', name)
  return failure(status.FAILED_PRECONDITION, `User '${name}' already exists.`, metadata)
}
