/** The output of a command. It appears on the terminal in which the command was typed, also if the command runs in the server. Await each call before the next. */
export interface Output {
  /** Writes a line to stdout; control characters are escaped. */
  line(text: string): Promise<void>
  /** Writes a line to stderr, escaped in the same way. */
  note(text: string): Promise<void>
  /** Draws a progress bar on a terminal, or a count where `total` is unknown. Elsewhere it does nothing. */
  progress(label: string, done: number, total?: number): Promise<void>
  /** Writes data as it is, unescaped: into the file that the caller named for the stream (emptied at the first call), else to stdout. */
  append(stream: Stream, text: string): Promise<void>
  /** The same for bytes that are no text. @throws Refused where they would go to a terminal */
  appendBytes(stream: Stream, bytes: Uint8Array): Promise<void>
}

/** A stream of data that a command writes. The process in which the command was typed chooses its file (`Command.files`). */
export type Stream = 'out' | 'errors'

/** The path of each stream; undefined: stdout. */
export type Files = Readonly<Partial<Record<Stream, string | undefined>>>
