import { lazy, useEffect } from 'react'

type Picker = (typeof import('./day-picker.tsx'))['DayPicker']

/** Without a connection the days may not come: the date is typed then. */
const NoDays: Picker = ({ onClose }) => {
  useEffect(onClose)
  return <></>
}

/** A month of days to choose one of, which comes when it is asked for. */
export const Days = lazy(async () => ({
  default: await import('./day-picker.tsx').then(
    (part) => part.DayPicker,
    () => NoDays,
  ),
}))
