import { useId } from 'react'

/** One of a few choices, all in sight. */
export function Choice<Value extends string>({
  name,
  value,
  options,
  onChoose,
}: {
  readonly name: string
  readonly value: Value
  readonly options: readonly (readonly [value: Value, word: string])[]
  readonly onChoose: (value: Value) => void
}) {
  const id = useId()
  return (
    <div className="choice-row">
      <span className="name" id={id}>
        {name}
      </span>
      <span className="seg" role="radiogroup" aria-labelledby={id}>
        {options.map(([one, word]) => (
          <label key={one} className="seg-item">
            <input type="radio" name={id} checked={one === value} onChange={() => onChoose(one)} />
            <span>{word}</span>
          </label>
        ))}
      </span>
    </div>
  )
}
