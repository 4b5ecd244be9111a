import { done } from '../answers/jsonapi.ts'
import { route } from '../routing/route.ts'

export const sayHello = route({
  method: 'GET',
  path: '/api/dev/hello/{text:text}',
  says: 'Answers a greeting: shows whether the service can be reached.',
  token: 'none',
  query: {},

  async run({ params }) {
    return done({ message: `Hello, ${params.text}!` })
  },
})
