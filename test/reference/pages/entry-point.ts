import type { Page } from '../play.ts'

export const entryPoint: Page = {
  file: 'entry-point',
  title: 'Entry point',
  says: 'The list of all lists, and the health check.',
  endpoints: [
    {
      route: 'GET /api/dev',
      title: 'List what can be read',
      who: 'everybody.',
      shows: [
        { says: 'For an administrator:', path: '' },
        { says: 'For a user who may read one table:', path: '', by: 'ANNA' },
      ],
      refuses: [['no token is sent', { path: '', by: null, code: 'auth.token_missing' }]],
    },
    {
      route: 'GET /api/dev/hello/{text:text}',
      title: 'Check whether the service runs',
      who: 'everybody.',
      notes:
        'For monitoring: 200 means that the service runs and has just reached its database; 503 means that it is starting or stopping, or cannot reach its database.',
      shows: [{ path: 'hello/world', by: null }],
    },
  ],
}
