import { sql } from '../../../sql/sql.ts'
import { alter, type Step } from '../migration-step.ts'

/** What was noted in the present hour of one user, or of failed sign-ins (store/people/audit.ts). */
export const auditIndex = (): Step[] => [alter(sql`CREATE INDEX audit_by_action ON audit (action, user_id, time)`)]
