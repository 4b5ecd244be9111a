import { archiveUser, createUser, mayUpdate, updateUser, users, type Secrets, type User } from '../../store/people/users.ts'
import { flag, integer, string } from './forms.ts'
import { administrators, defineResource } from './resource.ts'

/** interface 11.1; `arc` 1: archived, may not sign in. */
export const user = defineResource<User, Secrets>({
  type: 'user',
  token: 'unlimited',
  plural: 'the users',
  relation: users,
  members: {
    fio: { of: 'fullName', form: string },
    e_mail: { of: 'email', form: string },
    login: { of: 'login', form: string, required: true },
    group_id: { of: 'groupId', form: integer },
    arc: { of: 'archived', form: flag },
    password: { of: 'password', form: string, secret: true },
    old_password: { of: 'oldPassword', form: string, secret: true },
  },
  create: administrators('create users', createUser),
  update: { allow: mayUpdate, run: updateUser },
  remove: administrators('archive users', archiveUser),
})
