import { useRef } from 'react'

/** Functions that are the same ones at each drawing and do what the latest do: a part that is given them is not drawn again for their sake. */
export function useSteady<Acts extends object>(acts: Acts): Acts {
  const latest = useRef(acts)
  latest.current = acts
  const steady = useRef<Acts>(undefined)
  return (steady.current ??= Object.fromEntries(
    Object.keys(acts).map((name) => [
      name,
      (...args: unknown[]) => (latest.current[name as keyof Acts] as (...args: unknown[]) => unknown)(...args),
    ]),
  ) as Acts)
}
