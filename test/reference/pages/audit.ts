import type { Page } from '../play.ts'

export const audit: Page = {
  file: 'audit',
  title: 'Audit log',
  says: `Sign-ins and administrative acts: who, when, from where and what. Entries are stored for \`KARTOTEKA_AUDIT_DAYS\` (365). Changes of records are
not included.`,
  attributesOf: 'audit',
  endpoints: [
    {
      route: 'GET /api/dev/audit',
      title: 'List the audit log',
      who: 'administrators; others see an empty list.',
      shows: [{ path: "audit?filter=starts_with(action,'access')&sort=-id" }],
    },
    {
      route: 'GET /api/dev/audit/{id}',
      title: 'Read an entry of the audit log',
      who: 'administrators.',
      shows: [{ path: 'audit/1' }],
      refuses: [['there is none, or none for the caller', { path: 'audit/99999', code: 'resource.not_found' }]],
    },
  ],
}
