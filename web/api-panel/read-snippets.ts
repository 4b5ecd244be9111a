import { TOKEN, type Call, type Makers } from './call.ts'
import { INVISIBLE, jsString, phpString, pythonString, shellString } from './strings.ts'

/** What a terminal must not be given as it is stands in percent signs. */
const curlParameter = (name: string, value: string): string =>
  value.match(INVISIBLE) && value.isWellFormed()
    ? `--data ${shellString(`${name}=${encodeURIComponent(value)}`)}`
    : `--data-urlencode ${shellString(`${name}=${value}`)}`

/** The lines that put the parameters together; none where there are none. */
const pythonQuery = ({ parameters }: Call): string =>
  parameters.length === 0
    ? ''
    : `query = urlencode({${parameters.map(([name, value]) => `\n    ${pythonString(name)}: ${pythonString(value)},`).join('')}\n})\n`

const phpQuery = ({ parameters }: Call): string =>
  parameters.length === 0
    ? ''
    : `$query = http_build_query([${parameters.map(([name, value]) => `\n    ${phpString(name)} => ${phpString(value)},`).join('')}\n]);\n`

/** Of requests that read. */
export const readers: Makers = {
  curl: (call) =>
    [
      `curl --get ${shellString(call.address)}`,
      `  --header "X-Auth-Token: $${TOKEN}"`,
      ...call.parameters.map(([name, value]) => `  ${curlParameter(name, value)}`),
    ].join(' \\\n'),

  JavaScript: (call) => `const address = new URL(${jsString(call.address)})
${call.parameters.map(([name, value]) => `address.searchParams.set(${jsString(name)}, ${jsString(value)})\n`).join('')}const answer = await fetch(address, {
  headers: { 'X-Auth-Token': process.env.${TOKEN} },
})
if (!answer.ok) throw new Error(await answer.text())
const { data } = await answer.json()
${call.isList ? 'for (const { id, attributes } of data) console.log(id, attributes)' : 'console.log(data.id, data.attributes)'}`,

  Python: (call) => `import json
import os
import sys
from urllib.error import HTTPError
${call.parameters.length === 0 ? '' : 'from urllib.parse import urlencode\n'}from urllib.request import Request, urlopen

${pythonQuery(call)}request = Request(
    ${pythonString(call.address)}${call.parameters.length === 0 ? '' : ' + "?" + query'},
    headers={"X-Auth-Token": os.environ["${TOKEN}"]},
)
try:
    data = json.load(urlopen(request))["data"]
except HTTPError as refusal:
    sys.exit(refusal.read().decode())
${call.isList ? 'for record in data:\n    print(record["id"], record["attributes"])' : 'print(data["id"], data["attributes"])'}`,

  PHP: (call) => `<?php
${phpQuery(call)}$context = stream_context_create(['http' => ['header' => 'X-Auth-Token: ' . getenv('${TOKEN}'), 'ignore_errors' => true]]);
$text = file_get_contents(${phpString(call.address)}${call.parameters.length === 0 ? '' : " . '?' . $query"}, false, $context);
$answer = json_decode($text);
if (!isset($answer->data)) {
    throw new RuntimeException("No data: $text");
}
${call.isList ? "foreach ($answer->data as $record) echo $record->id, ' ', json_encode($record->attributes, JSON_UNESCAPED_UNICODE), PHP_EOL;" : "echo $answer->data->id, ' ', json_encode($answer->data->attributes, JSON_UNESCAPED_UNICODE), PHP_EOL;"}`,
}
