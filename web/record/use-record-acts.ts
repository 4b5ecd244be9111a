import { useEffect } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { changeMany } from '../api/outbox.ts'
import { act, type Acts } from '../commands/commands.ts'
import { useWords } from '../i18n/words.ts'
import { copyText } from '../ui/copy.ts'
import { useTakeBack, useUndoOf } from '../ui/take-back.ts'
import { toast, toastRefusal } from '../ui/toast.tsx'
import { useTrouble } from '../ui/trouble.tsx'
import { copied } from './copied.ts'
import type { OpenRecord } from './use-record.ts'

/** What is done with a whole record. `rank`: above 0 it comes before what the list beside does for the same commands, below 0 after it. */
export function useRecordActs(
  { id, number, record, fields, attributes, found, mayCreate, mayDelete }: OpenRecord,
  { rank, more, onRemoved }: { readonly rank: number; readonly more?: Acts; readonly onRemoved: () => void },
) {
  const say = useWords()
  const trouble = useTrouble()
  const navigate = useNavigate()
  const takeBack = useTakeBack(trouble, number)
  const undoOf = useUndoOf(trouble)
  const remove = async () => {
    onRemoved()
    const removing = changeMany(number, [{ removed: [record] }])
    // What the person does while it is written is another act.
    const undo = undoOf()
    const failure = await removing
    if (failure) toastRefusal(trouble(failure))
    else toast(say('inTrash'), undo)
  }
  const duplicate = () =>
    void navigate({
      to: '/t/$table/new',
      params: { table: id },
      search: copied(fields, attributes) as never,
    })
  const copyLink = () =>
    void copyText(`${location.origin}/t/${id}/${record}`).then((isCopied) => toast(say(isCopied ? 'linkCopied' : 'linkNotCopied')))
  const acts = {
    duplicate: mayCreate && found !== undefined && duplicate,
    toTrash: mayDelete && (() => void remove()),
    copyLink,
    print: () => window.print(),
  }
  useEffect(() => act('record', { ...takeBack, ...acts, ...more }, rank))
  return acts
}
