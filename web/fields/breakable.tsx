import { Fragment, type ReactNode } from 'react'
import { partsOf } from './seams.ts'

/** Characters of an address that has room in any line. */
const SHORT = 16

/** An address that goes on in the next line does so where its parts meet, not before its last letter. */
export const breakable = (text: string): ReactNode =>
  text.length <= SHORT
    ? text
    : partsOf(text).map((part, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {part}
        </Fragment>
      ))
