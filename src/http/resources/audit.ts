import { auditEntries, type AuditEntry } from '../../store/people/audit.ts'
import { integer, string } from './forms.ts'
import { defineResource } from './resource.ts'

export const audit = defineResource<AuditEntry>({
  type: 'audit',
  token: 'unlimited',
  plural: 'the entries of the audit log',
  relation: auditEntries,
  members: {
    time: { of: 'time', form: string, set: 'never' },
    user_id: { of: 'userId', form: integer, set: 'never' },
    address: { of: 'address', form: string, set: 'never' },
    action: { of: 'action', form: string, set: 'never' },
    subject: { of: 'subject', form: string, set: 'never' },
    detail: { of: 'detail', form: string, set: 'never' },
  },
})
