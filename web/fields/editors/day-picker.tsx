import type { RefObject } from 'react'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarMonthPicker,
  CalendarYearPicker,
  Dialog,
  I18nProvider,
  Popover,
} from 'react-aria-components'
import { parseDate } from '@internationalized/date'
import { locale } from '../../api/preferences.ts'
import { useWords } from '../../i18n/words.ts'
import { Icon } from '../../ui/icon.tsx'
import { Select } from '../../ui/select.tsx'
import { nowHere } from '../dates.ts'
import { useGoingAlong } from './use-going-along.ts'

/** Years in the list around the one that is shown. */
const YEARS = 120

/** A month of days to choose one of. `value`: YYYY-MM-DD, or undefined. */
export function DayPicker({
  anchor,
  label,
  value,
  onPick,
  onClose,
}: {
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: string
  readonly value: string | undefined
  onPick(day: string): void
  onClose(): void
}) {
  const say = useWords()
  useGoingAlong(anchor)
  return (
    <Popover
      className="popover day-picker"
      triggerRef={anchor}
      isOpen
      placement="bottom start"
      onOpenChange={(isOpen) => isOpen || onClose()}
    >
      <Dialog aria-label={label}>
        <I18nProvider locale={locale()}>
          <Calendar
            aria-label={label}
            defaultValue={value === undefined ? null : parseDate(value)}
            defaultFocusedValue={parseDate(value ?? today())}
            autoFocus
            onChange={(day) => onPick(day.toString())}
          >
            <div className="day-picker-head">
              <Button slot="previous" className="button square">
                <Icon name="chevron-left" />
              </Button>
              <CalendarMonthPicker>{choiceOf}</CalendarMonthPicker>
              <CalendarYearPicker visibleYears={YEARS}>{choiceOf}</CalendarYearPicker>
              <Button slot="next" className="button square">
                <Icon name="chevron-right" />
              </Button>
            </div>
            <CalendarGrid weekdayStyle="short">
              <CalendarGridHeader>{(day) => <CalendarHeaderCell>{day}</CalendarHeaderCell>}</CalendarGridHeader>
              <CalendarGridBody>{(day) => <CalendarCell className="day-picker-day" date={day} />}</CalendarGridBody>
            </CalendarGrid>
          </Calendar>
        </I18nProvider>
        <div className="picker-foot">
          <button type="button" className="button small" onClick={() => onPick(today())}>
            {say('pickToday')}
          </button>
        </div>
      </Dialog>
    </Popover>
  )
}

const today = () => nowHere().slice(0, 10)

const choiceOf = ({
  'aria-label': name,
  value,
  onChange,
  items,
}: {
  readonly 'aria-label': string
  readonly value: string | number
  readonly onChange: (key: number) => void
  readonly items: readonly { readonly id: number; readonly formatted: string }[]
}) => (
  <Select {...{ name }} isQuiet value={String(value)} onChoose={(key) => onChange(Number(key))}>
    {items.map(({ id, formatted }) => (
      <option key={id} value={id}>
        {formatted}
      </option>
    ))}
  </Select>
)
