import type { Page } from '../play.ts'

export const entryPoint: Page = {
  file: 'entry-point',
  title: 'Entry point',
  says: 'Two addresses to begin with.',
  endpoints: [
    {
      route: 'GET /api/dev',
      title: 'List what can be read',
      who: 'everybody.',
      shows: [
        { says: 'As an administrator sees it:', path: '' },
        { says: 'As a user sees it who may read one table:', path: '', by: 'ANNA' },
      ],
      refuses: [['no token is sent', { path: '', by: null, code: 'auth.token_missing' }]],
    },
    {
      route: 'GET /api/dev/hello/{text:text}',
      title: 'See whether the service is there',
      who: 'everybody.',
      notes:
        'For monitoring: 200 means that the service runs and has just reached its database; 503 that it starts, stops or has no database.',
      shows: [{ path: 'hello/world', by: null }],
    },
  ],
}
