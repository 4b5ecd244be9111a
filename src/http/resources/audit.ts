import { auditEntries, type AuditEntry } from '../../store/people/audit.ts'
import { integer, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const audit = defineResource<AuditEntry>({
  type: 'audit',
  token: 'unlimited',
  plural: 'the entries of the audit log',
  relation: auditEntries,
  members: {
    time: { of: 'time', form: string, set: 'never', says: 'Time of the event.' },
    user_id: { of: 'userId', form: integer, set: 'never', says: 'The user who did it; 0: unknown, or the command line.' },
    address: { of: 'address', form: string, set: 'never', says: 'Address of the client; empty: the command line.' },
    action: { of: 'action', form: string, set: 'never', says: 'What was done, such as `sign_in`, `user_created`, `access_changed`.' },
    subject: { of: 'subject', form: string, set: 'never', says: 'What was changed, such as `group 4, table 1`.' },
    detail: { of: 'detail', form: string, set: 'never', says: 'More details; may be empty.' },
  },
})
