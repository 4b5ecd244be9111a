/** How often others had their turn of the event loop during the work. */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  let done = false
  const count = () => {
    turns++
    if (!done) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work()
  } finally {
    done = true
  }
  return turns
}
