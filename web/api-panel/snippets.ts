/* A request to the interface as programs send it, ready to be copied. Names and values come from people: none of them may leave its quotes or its comment. */

export interface Call {
  /** With the origin. */
  readonly address: string
  /** Of its query, in their order. */
  readonly parameters: readonly (readonly [name: string, value: string])[]
  /** The attributes in the answer and how people call them. */
  readonly fields: readonly { readonly name: string; readonly title: string }[]
  /** Whether the answer is a list. */
  readonly isList: boolean
}

export const languages = ['curl', 'JavaScript', 'Python', 'PHP'] as const
export type Language = (typeof languages)[number]

/** The variable of the environment in which a program finds the token. A token itself is never in the text. */
export const TOKEN = 'KARTOTEKA_TOKEN'

/** Characters of a name in a comment. */
const LONGEST = 60

/** In a comment: one line, nothing invisible, and no end of PHP. */
const inComment = (name: string): string =>
  Array.from(name.replace(/\p{C}|\p{Zl}|\p{Zp}/gu, ' ').replaceAll('?>', '? >'))
    .slice(0, LONGEST)
    .join('')
    .trim()
/** zsh reads what stands after # as a command when it is pasted, and bash replaces !: only letters, digits and what means nothing to either. */
const inShellComment = (name: string): string => inComment(name).replace(/[^\p{L}\p{M}\p{N} .,_%+-]/gu, ' ').replace(/ +/g, ' ').trim() // prettier-ignore

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu
const codePoint = (character: string) => character.codePointAt(0)!.toString(16)
const units = (character: string) => Array.from({ length: character.length }, (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`).join('') // prettier-ignore

/** Within single quotes, nothing means anything to a shell. */
export const shellString = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
export const jsString = (text: string): string => JSON.stringify(text).replace(INVISIBLE, units)
export const pythonString = (text: string): string =>
  JSON.stringify(text).replace(INVISIBLE, (one) => (one.length > 1 ? `\\U${codePoint(one).padStart(8, '0')}` : units(one)))
export const phpString = (text: string): string =>
  text.match(INVISIBLE)
    ? `"${text.replace(/[\\"$]/g, String.raw`\$&`).replace(INVISIBLE, (one) => `\\u{${codePoint(one)}}`)}"`
    : `'${text.replace(/[\\']/g, String.raw`\$&`)}'`

const comments = ({ fields }: Call, sign: string, shown = inComment): string =>
  fields.map(({ name, title }) => `${sign} ${shown(name)} ${shown(title)}`).join('\n')

/** What a terminal must not be given as it is stands in percent signs. */
const curlParameter = (name: string, value: string): string =>
  value.match(INVISIBLE) && value.isWellFormed()
    ? `--data ${shellString(`${name}=${encodeURIComponent(value)}`)}`
    : `--data-urlencode ${shellString(`${name}=${value}`)}`

const makers: Readonly<Record<Language, (call: Call) => string>> = {
  curl: (call) =>
    [
      `curl --get ${shellString(call.address)}`,
      `  --header "X-Auth-Token: $${TOKEN}"`,
      ...call.parameters.map(([name, value]) => `  ${curlParameter(name, value)}`),
    ].join(' \\\n') + `\n\n${comments(call, '#', inShellComment)}`,

  JavaScript: (call) => `const address = new URL(${jsString(call.address)})
${call.parameters.map(([name, value]) => `address.searchParams.set(${jsString(name)}, ${jsString(value)})\n`).join('')}const answer = await fetch(address, {
  headers: { 'X-Auth-Token': process.env.${TOKEN} },
})
if (!answer.ok) throw new Error(await answer.text())
const { data } = await answer.json()
${call.isList ? 'for (const { id, attributes } of data) console.log(id, attributes)' : 'console.log(data.id, data.attributes)'}

${comments(call, '//')}`,

  Python: (call) => `import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({${call.parameters.map(([name, value]) => `\n    ${pythonString(name)}: ${pythonString(value)},`).join('')}
})
request = Request(
    ${pythonString(call.address)} + "?" + query,
    headers={"X-Auth-Token": os.environ["${TOKEN}"]},
)
data = json.load(urlopen(request))["data"]
${call.isList ? 'for record in data:\n    print(record["id"], record["attributes"])' : 'print(data["id"], data["attributes"])'}

${comments(call, '#')}`,

  PHP: (call) => `<?php
$query = http_build_query([${call.parameters.map(([name, value]) => `\n    ${phpString(name)} => ${phpString(value)},`).join('')}
]);
$context = stream_context_create(['http' => ['header' => 'X-Auth-Token: ' . getenv('${TOKEN}')]]);
$answer = json_decode(file_get_contents(${phpString(call.address)} . '?' . $query, false, $context));
${call.isList ? "foreach ($answer->data as $record) echo $record->id, ' ', json_encode($record->attributes), PHP_EOL;" : "echo $answer->data->id, ' ', json_encode($answer->data->attributes), PHP_EOL;"}

${comments(call, '//')}`,
}

export const snippetOf = (language: Language, call: Call): string => `${makers[language](call).trimEnd()}\n`

/** A part of a program and what it is, for its colour. */
export type Part = readonly [text: string, is: 'plain' | 'string' | 'comment']

/** Strings and comments of a program that `snippetOf` has made. */
export const partsOf = (program: string): readonly Part[] =>
  Array.from(
    program.matchAll(/^(?:#|\/\/).*$|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'#/]+|[^]/gm),
    ([text]) => [text, /^(?:#|\/\/)./.test(text) ? 'comment' : /^["'][^]/.test(text) ? 'string' : 'plain'] as const,
  )
