import { applyStructure, planStructure } from '../../documents/structure/apply-structure.ts'
import type { StructureDocument } from '../../documents/structure/document.ts'
import { exportStructure } from '../../documents/structure/export-structure.ts'
import { readDocument } from '../../documents/structure/read-document.ts'
import type { Step } from '../../documents/structure/step.ts'
import { fail } from '../../errors.ts'
import { limits } from '../../limits.ts'
import { command, jsonOption, text, type Context } from '../contract/command.ts'
import { Refused } from '../explain/explain.ts'

export const exportStructureCommand = command({
  name: 'structure export',
  says: 'Prints tables, fields, categories, groups, rules of access, shared filters and views as one JSON document for another installation.',
  args: [],
  options: [
    { flags: '--without-access', says: 'leave groups and rules of access out' },
    { flags: '--out <file>', says: 'file to write. Default: stdout' },
  ],
  begins: false,
  files: (typed) => ({ out: text(typed, 'out') }),
  async run({ store, options, output }) {
    const { document, notes } = await exportStructure(store, { withoutAccess: options['withoutAccess'] === true })
    for (const note of notes) await output.note(`${note} It is left out.`)
    await output.append('out', `${JSON.stringify(document, null, 2)}\n`)
    return 0
  },
})

const file = { name: 'file', says: 'document that `structure export` made', file: true } as const
const deletes = { flags: '--delete', says: 'also delete what the document does not have; tables and fields go to the trash' }

export const diffStructure = command({
  name: 'structure diff',
  says: 'Prints what `structure apply` would do, and changes nothing.',
  args: [file],
  options: [deletes, { flags: '--check', says: 'end with 1 where there is something to do' }, jsonOption],
  begins: false,
  async run(context) {
    const document = await documentOf(context.input!)
    const { steps } = await planStructure(context.store, document, { deletes: context.options['delete'] === true })
    const said = steps.filter(({ says }) => says !== '')
    if (context.options['json'] === true) await context.output.line(JSON.stringify(said.map(({ kind, says }) => ({ kind, says }))))
    else await print(context, said, '')
    return context.options['check'] === true && said.length > 0 ? 1 : 0
  },
})

export const applyStructureCommand = command({
  name: 'structure apply',
  says: 'Brings the installation to a document of `structure export`: all of it, or nothing if a part fails.',
  args: [file],
  options: [deletes, { flags: '--yes', says: 'do it although something is deleted or the type of a field changes' }],
  begins: false,
  async run(context) {
    const { store, by, options } = context
    const document = await documentOf(context.input!)
    const mayDo = (steps: readonly Step[]) => {
      const risky = steps.filter(({ kind }) => kind === 'delete' || kind === 'convert')
      if (risky.length === 0 || options['yes'] === true) return
      throw new Refused({ text: `This would ${risky.map(({ says }) => says).join('; ')}. Add --yes to do it.`, usage: false })
    }
    const steps = await applyStructure(store, by, document, { deletes: options['delete'] === true, mayDo })
    await print(
      context,
      steps.filter(({ says }) => says !== ''),
      'Done: ',
    )
    return 0
  },
})

async function print({ output }: Context, steps: readonly Step[], before: string): Promise<void> {
  if (steps.length === 0) await output.note('The installation has the structure of the document.')
  for (const { says } of steps) await output.line(before === '' ? `${says[0]!.toUpperCase()}${says.slice(1)}` : `${before}${says}`)
}

/** @throws `structure.invalid` */
async function documentOf(input: AsyncIterable<Uint8Array>): Promise<StructureDocument> {
  const { most } = limits.structureDocument
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of input as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > most) throw fail('structure.invalid', { place: '', why: `It is longer than ${most} bytes.` })
    parts.push(part)
  }
  return readDocument(
    Buffer.concat(parts)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  )
}
