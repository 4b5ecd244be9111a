import { done } from '../answers/jsonapi.ts'
import { route } from '../routing/route.ts'

export const sayHello = route({
  method: 'GET',
  path: '/api/dev/hello/{text:text}',
  says: 'Answers a greeting, so that a client sees that it reaches the service.',
  token: 'none',
  query: {},

  async run({ params }) {
    return done({ message: `Hello, ${params.text}!` })
  },
})
