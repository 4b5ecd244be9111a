import { checkIntegrity } from '../../store/upkeep/check-integrity.ts'
import { command } from '../contract/command.ts'

export const check = command({
  name: 'check',
  says: 'Checks the database, totals, keys, references and files for damage.',
  args: [],
  options: [{ flags: '--sizes-only', says: 'compare only the sizes of files, instead of reading all their bytes' }],
  begins: false,
  async run({ store, options, output }) {
    let findings = 0
    for await (const finding of checkIntegrity(store, { readsFiles: options['sizesOnly'] !== true })) {
      findings++
      await output.line(finding)
    }
    await output.line(findings === 0 ? 'Everything is in order.' : `${findings} findings`)
    return findings === 0 ? 0 : 1
  },
})
