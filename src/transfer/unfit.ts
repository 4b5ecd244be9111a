/** What is at fault: of which column, by its header, and which part of what was asked for it. */
export interface UnfitPlace {
  readonly header?: string
  readonly of?: 'field' | 'type' | 'unique' | 'reference' | 'date_format' | 'table' | 'keep_ids' | 'update_by'
}

/**
 * What cannot be applied of what was asked for. The message is a sentence for the user, whichever way they asked; `typed` is one more for who
 * typed flags of the command.
 */
export class Unfit extends Error {
  readonly at: UnfitPlace
  readonly typed: string
  constructor(message: string, at: UnfitPlace = {}, typed = '') {
    super(message)
    this.at = at
    this.typed = typed
  }
}
