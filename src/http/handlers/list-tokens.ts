import { check } from '../../filter/check.ts'
import { parse } from '../../filter/parse.ts'
import { wordsFor } from '../../store/ground/clock.ts'
import { showsPage } from '../answers/described.ts'
import { answerPage, filterOf } from '../resources/resource-page.ts'
import { token } from '../resources/token.ts'
import { pages } from '../routing/paging.ts'
import { filter, oneOf, sort } from '../routing/readers.ts'
import { route } from '../routing/route.ts'

const ofAll = oneOf('`true`: the tokens of all users, for administrators; others see their own. Default: `false`.', 'false', 'true')

/** Administrators too see their own unless they ask for all: their scripts expect what they signed in for (DECISIONS A57). */
export const listTokens = route({
  method: 'GET',
  path: '/api/dev/token',
  says: 'Lists your access tokens that match a filter, a page at a time; for administrators those of all users, if that is asked for.',
  token: token.token,
  answers: showsPage(token.type),
  query: { filter, sort, ofAll, ...pages },
  legacyFilter: true,
  sparseFields: true,

  async run(request) {
    const { store, caller, query } = request
    const given = await filterOf(request, token)
    if (query.ofAll === 'true') return answerPage(request, token, given)
    const scope = { attributes: token.attributes, context: store.context, words: wordsFor(caller, store) }
    const own = check(parse(`eq(user_id,${caller.userId})`), scope)
    return answerPage(request, token, given ? { is: 'and', terms: [own, given] } : own)
  },
})
