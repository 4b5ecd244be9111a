import { showsMeta } from '../answers/described.ts'
import { done } from '../answers/jsonapi.ts'
import { route } from '../routing/route.ts'

export const sayHello = route({
  method: 'GET',
  path: '/api/dev/hello/{text:text}',
  says: 'Answers a greeting: shows whether the service can be reached.',
  token: 'none',
  answers: showsMeta({ message: { type: 'string' } }),
  query: {},

  async run({ params }) {
    return done({ message: `Hello, ${params.text}!` })
  },
})
