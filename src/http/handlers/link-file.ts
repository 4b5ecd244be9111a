import { fail } from '../../errors.ts'
import { localTime } from '../../store/ground/clock.ts'
import { grant } from '../../store/model/access.ts'
import { signLink } from '../../store/people/signed-links.ts'
import { listFiles } from '../../store/records/files.ts'
import { answers, component, object } from '../answers/described.ts'
import { entryPoint } from '../answers/jsonapi.ts'
import { seconds } from '../routing/readers.ts'
import { addressOfFile, fieldName } from '../resources/file.ts'
import { route, type Asked } from '../routing/route.ts'

/** Seconds. */
const LIFETIME = 300

const mayRead = ({ params, caller, catalogue }: Pick<Asked<'{table}'>, 'params' | 'caller' | 'catalogue'>) =>
  grant('read', params.table, caller, catalogue)

export const linkFile = route({
  method: 'POST',
  path: '/api/dev/file/{table}/{field:text}/{record}/{name:text}/link',
  says: 'Makes a link that reads a file without a token, for a short time.',
  token: 'tables',
  allow: mayRead,
  takes: null,
  answers: answers({
    schema: object({
      links: object({ enclosure: { type: 'string' } }),
      meta: object({ expires_at: { type: 'string' } }),
      jsonapi: component('jsonapi'),
    }),
  }),
  fails: ['file.not_found', 'file.field_not_found'],
  query: {
    lifetime: seconds(
      `Seconds for which the link is valid; at most what the administrator allows (KARTOTEKA_LINK_LIFETIME_MAX). Default: ${LIFETIME}.`,
    ),
  },

  async run(request) {
    const { store, caller, params, query } = request
    const files = await listFiles(store, mayRead(request), fieldName(params.field), params.record)
    if (!files.some(({ name }) => name === params.name)) throw fail('file.not_found', { name: params.name })
    const { timeZone, linkLifetimeMax } = store.settings
    const lifetime = query.lifetime ?? Math.min(LIFETIME, linkLifetimeMax)
    if (lifetime < 1 || lifetime > linkLifetimeMax)
      throw fail(
        'parameter.invalid',
        { why: `The lifetime of a link is between 1 and ${linkLifetimeMax} seconds.` },
        { source: { parameter: 'lifetime' } },
      )
    const place = addressOfFile(params, params.name)
    const { text, expires } = await signLink(store, caller, place, lifetime)
    return entryPoint({ enclosure: `${place}?link=${text}` }, { expires_at: localTime(expires * 1000, timeZone) })
  },
})
