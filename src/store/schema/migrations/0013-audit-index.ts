import { sql, type Sql } from '../../../sql/sql.ts'

/** What was noted in the present hour of one user, or of failed sign-ins (store/people/audit.ts). */
export const auditIndex = (): Sql[] => [sql`CREATE INDEX audit_by_action ON audit (action, user_id, time)`]
