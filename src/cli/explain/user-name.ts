import { readFileSync } from 'node:fs'

/** The name of a user of this machine; its number where only another service knows the name. */
export function userName(uid: number): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((one) => one.split(':')[2] === String(uid))
    return line?.split(':')[0] ?? `#${uid}`
  } catch {
    return `#${uid}`
  }
}
