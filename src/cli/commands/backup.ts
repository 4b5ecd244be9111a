import { backUp } from '../../store/upkeep/backup.ts'
import { command } from '../contract/command.ts'

export const backup = command({
  name: 'backup',
  says: 'Copies the whole installation into a new directory, also while the service runs, and verifies the copy.',
  args: [{ name: 'directory', says: 'target; must not exist yet', path: true }],
  options: [],
  begins: false,
  async run({ store, directory, args, output }) {
    const { files, bytes } = await backUp(store, directory, args['directory']!, (done) => output.progress('files', done))
    await output.line(`Backed up into ${args['directory']}: the database and ${files} files, ${bytes} bytes in all`)
    return 0
  },
})
