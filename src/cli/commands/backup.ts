import { backUp } from '../../store/upkeep/backup.ts'
import { command } from '../contract/command.ts'

export const backup = command({
  name: 'backup',
  says: 'Copies the whole installation, files in a bucket included, into a new directory, also while the service runs, and verifies the copy.',
  args: [{ name: 'directory', says: 'target; must not exist yet', path: true }],
  options: [{ flags: '--without-files', says: 'leave out the files of file fields, which stay in the bucket or directory' }],
  begins: false,
  async run({ store, directory, args, options, output }) {
    const takesFiles = options['withoutFiles'] !== true
    const { files, bytes } = await backUp(store, directory, args['directory']!, (done) => output.progress('files', done), takesFiles)
    const what = takesFiles ? `the database and ${files} files` : 'the database, without files'
    await output.line(`Backed up into ${args['directory']}: ${what}, ${bytes} bytes in all`)
    return 0
  },
})
