/* What has just been done, in the order in which it was done: at most three at once, the others wait until one goes. */

export interface Toast {
  readonly key: number
  readonly text: string
  readonly undo?: (() => void) | undefined
  /** What its button is called where that leads elsewhere instead of taking back. */
  readonly way?: string | undefined
  /** Whether that has been done already, by a key or another button. */
  readonly isBack?: boolean
  /** Whether it tells why something was not done: that is not expected, and takes its time to be read. */
  readonly isRefusal?: boolean
}

/** Toasts that are shown at once. */
export const MOST_SHOWN = 3
/** Milliseconds that a toast is shown, and the least where others wait. */
export const SHOWN = 10_000
export const LEAST_SHOWN = 4_000
/** Milliseconds for a letter of one that has no way back: it is there to be read, and may lie over rows. */
const PER_LETTER = 60
/** Those that wait; beyond them the oldest one that has no way back is given up. */
const MOST_WAITING = 50

interface Shown {
  readonly toast: Toast
  /** When it came into sight. */
  readonly since: number
}

export class ToastQueue {
  #shown: readonly Shown[] = []
  #visible: readonly Toast[] = []
  #waiting: readonly Toast[] = []
  #keys = 0
  #isHeld = false
  #timer: ReturnType<typeof setTimeout> | undefined
  readonly #listeners = new Set<() => void>()

  /** Those that are seen, oldest first: the same list until it changes. */
  visible = (): readonly Toast[] => this.#visible

  listen = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  put(text: string, undo?: () => void, { isRefusal = false, way }: { readonly isRefusal?: boolean; readonly way?: string } = {}): void {
    // What is said once more, as by a key that is held down, is shown anew and not twice.
    if (!undo || way !== undefined) {
      const isOther = (one: Toast) => (one.undo && one.way === undefined) || one.text !== text
      this.#shown = this.#shown.filter(({ toast }) => isOther(toast))
      this.#waiting = this.#waiting.filter(isOther)
    }
    this.#waiting = [...this.#waiting, { key: ++this.#keys, text, undo, isRefusal, way }]
    if (this.#waiting.length > MOST_WAITING) {
      const spare = Math.max(0, this.#waiting.findIndex(({ undo: way }) => !way)) // prettier-ignore
      this.#waiting = this.#waiting.toSpliced(spare, 1)
    }
    this.#step()
  }

  close(key: number): void {
    this.#shown = this.#shown.filter(({ toast }) => toast.key !== key)
    this.#step()
  }

  /** What some of them tell of has been taken back, or is done again. */
  mark(isIts: (undo: () => void) => boolean, isBack: boolean): void {
    const marked = (toast: Toast): Toast => (toast.undo && isIts(toast.undo) ? { ...toast, isBack } : toast)
    this.#shown = this.#shown.map(({ toast, since }) => ({ toast: marked(toast), since }))
    this.#waiting = this.#waiting.map(marked)
    this.#step()
  }

  /** Those that wait, too: they were said to one person, and another may sit down here. */
  clear(): void {
    this.#shown = []
    this.#waiting = []
    // What was pointed at does not tell that it is gone.
    this.#isHeld = false
    this.#step()
  }

  /** While somebody points at one or is in one, none goes away. Then each is shown as long as from its beginning. */
  hold(isHeld: boolean): void {
    if (this.#isHeld === isHeld) return
    this.#isHeld = isHeld
    if (!isHeld) this.#shown = this.#shown.map(({ toast }) => ({ toast, since: Date.now() }))
    this.#step()
  }

  /** Lets go what was shown long enough, shows what waits, and comes back when the next one is due. */
  #step(): void {
    clearTimeout(this.#timer)
    const now = Date.now()
    const isDue = (one: Shown) => !this.#isHeld && now - one.since >= this.#spanOf(one)
    while (this.#shown.some(isDue)) {
      const at = this.#shown.findIndex(isDue)
      this.#shown = this.#shown.toSpliced(at, 1)
      this.#fill(now)
    }
    this.#fill(now)
    if (!this.#isHeld && this.#shown.length > 0)
      this.#timer = setTimeout(() => this.#step(), Math.max(0, Math.min(...this.#shown.map((one) => one.since + this.#spanOf(one))) - now))
    this.#tell()
  }

  /** The oldest one makes room for those that wait. */
  #spanOf = (one: Shown): number => {
    if (this.#waiting.length > 0 && one === this.#shown[0]) return LEAST_SHOWN
    const { undo, text, isRefusal } = one.toast
    return undo || isRefusal ? SHOWN : Math.min(SHOWN, LEAST_SHOWN + PER_LETTER * text.length)
  }

  #fill(since: number): void {
    const room = MOST_SHOWN - this.#shown.length
    this.#shown = [...this.#shown, ...this.#waiting.slice(0, room).map((toast) => ({ toast, since }))]
    this.#waiting = this.#waiting.slice(room)
  }

  #tell(): void {
    const next = this.#shown.map(({ toast }) => toast)
    if (next.length === this.#visible.length && next.every((toast, i) => toast === this.#visible[i])) return
    this.#visible = next
    for (const listener of this.#listeners) listener()
  }
}
