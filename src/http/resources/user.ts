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
    fio: { of: 'fullName', form: string, says: 'Full name.' },
    e_mail: { of: 'email', form: string, says: 'E-mail address; may be empty.' },
    login: { of: 'login', form: string, required: true, says: 'The name to sign in with; no two users have the same.' },
    group_id: { of: 'groupId', form: integer, says: 'The [group](groups.md). Default: 3, clients.' },
    arc: { of: 'archived', form: flag, says: '1: archived. An archived user cannot sign in, and their tokens end.' },
    password: {
      of: 'password',
      form: string,
      secret: true,
      says: 'At least 8 characters. A user without one is [invited](invitations.md).',
    },
    old_password: {
      of: 'oldPassword',
      form: string,
      secret: true,
      says: 'The current password; required if users change their own password.',
    },
  },
  create: administrators('create users', createUser, ['user.login_taken']),
  update: { allow: mayUpdate, run: updateUser, fails: ['user.login_taken', 'user.last_administrator', 'user.wrong_password'] },
  remove: administrators('archive users', archiveUser, ['user.last_administrator']),
})
