declare module 'virtual:manual-en' {
  export const chapters: import('./chapter.ts').Manual['chapters']
  export const pictures: import('./chapter.ts').Manual['pictures']
}
declare module 'virtual:manual-ru' {
  export const chapters: import('./chapter.ts').Manual['chapters']
  export const pictures: import('./chapter.ts').Manual['pictures']
}
