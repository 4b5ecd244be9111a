import type { Question } from './question.ts'
import { citusQuestion } from './questions/citus.ts'
import { conversionQuestion } from './questions/conversion.ts'
import { eventsQuestion } from './questions/events.ts'
import { filesQuestion } from './questions/files.ts'
import { filtersQuestion } from './questions/filters.ts'
import { generatorQuestion } from './questions/generator.ts'
import { growthQuestion } from './questions/growth.ts'
import { indexesQuestion } from './questions/indexes.ts'
import { importQuestion } from './questions/import.ts'
import { listsQuestion } from './questions/lists.ts'
import { listsBeforeQuestion } from './questions/lists-before.ts'
import { logQuestion } from './questions/log.ts'
import { mixedQuestion } from './questions/mixed.ts'
import { offsetsQuestion } from './questions/offsets.ts'
import { oneRecordQuestion } from './questions/one-record.ts'
import { peersQuestion } from './questions/peers.ts'
import { postgresQuestion } from './questions/postgres.ts'
import { footprintQuestion } from './questions/footprint.ts'
import { predicatesQuestion } from './questions/predicates.ts'
import { searchQuestion } from './questions/search.ts'
import { pagesQuestion } from './questions/pages.ts'
import { tabQuestion } from './questions/tab.ts'
import { startQuestion } from './questions/start.ts'
import { undoQuestion } from './questions/undo.ts'
import { versionsQuestion } from './questions/versions.ts'
import { writesQuestion } from './questions/writes.ts'

/** In the order in which docs/performance.md tells of them. */
export const questions: readonly Question[] = [
  oneRecordQuestion,
  offsetsQuestion,
  filtersQuestion,
  listsQuestion,
  listsBeforeQuestion,
  searchQuestion,
  writesQuestion,
  versionsQuestion,
  indexesQuestion,
  mixedQuestion,
  logQuestion,
  eventsQuestion,
  importQuestion,
  filesQuestion,
  undoQuestion,
  conversionQuestion,
  pagesQuestion,
  tabQuestion,
  startQuestion,
  footprintQuestion,
  growthQuestion,
  generatorQuestion,
  predicatesQuestion,
  postgresQuestion,
  citusQuestion,
  peersQuestion,
]
