import { TOKEN, type Call, type Makers } from './call.ts'
import { INVISIBLE, jsString, phpString, pythonString, shellString, units } from './strings.ts'

const JSON_API = 'application/vnd.api+json'

const sent = (call: Call) => call.sends!
/** Each attribute in a line of its own. */
const lines = (call: Call, indent: string, line: (name: string, value: string) => string): string =>
  sent(call)
    .attributes.map(([name, value]) => `${indent}${line(name, value)}\n`)
    .join('')

/** The body as JSON, in several lines. The line ends between them are the only characters that cannot be seen. */
const json = (call: Call): string => {
  const { type, id, attributes } = sent(call)
  const document = { data: { type, ...(id !== undefined && { id }), attributes: Object.fromEntries(attributes) } }
  return JSON.stringify(document, null, 2).replace(INVISIBLE, (one) => (one === '\n' ? one : units(one)))
}

/** Without any they are an empty object: an empty array of PHP would be one of JSON too. */
const phpAttributes = (call: Call): string =>
  sent(call).attributes.length === 0
    ? 'new stdClass()'
    : `[\n${lines(call, '            ', (name, value) => `${phpString(name)} => ${phpString(value)},`)}        ]`

/** Of requests that write. */
export const writers: Makers = {
  curl: (call) => `curl --request ${sent(call).method} ${shellString(call.address)} \\
  --header "X-Auth-Token: $${TOKEN}" \\
  --header 'Content-Type: ${JSON_API}' \\
  --data-raw ${shellString(json(call))}`,

  JavaScript: (call) => `const body = {
  data: {
    type: ${jsString(sent(call).type)},${sent(call).id === undefined ? '' : `\n    id: ${jsString(sent(call).id!)},`}
    attributes: {
${lines(call, '      ', (name, value) => `${name}: ${jsString(value)},`)}    },
  },
}
const answer = await fetch(${jsString(call.address)}, {
  method: '${sent(call).method}',
  headers: { 'X-Auth-Token': process.env.${TOKEN}, 'Content-Type': '${JSON_API}' },
  body: JSON.stringify(body),
})
if (!answer.ok) throw new Error(await answer.text())
const { data } = await answer.json()
console.log(data.id, data.attributes)`,

  Python: (call) => `import json
import os
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

body = {
    "data": {
        "type": ${pythonString(sent(call).type)},${sent(call).id === undefined ? '' : `\n        "id": ${pythonString(sent(call).id!)},`}
        "attributes": {
${lines(call, '            ', (name, value) => `${pythonString(name)}: ${pythonString(value)},`)}        },
    },
}
request = Request(
    ${pythonString(call.address)},
    data=json.dumps(body).encode(),
    headers={"X-Auth-Token": os.environ["${TOKEN}"], "Content-Type": "${JSON_API}"},
    method="${sent(call).method}",
)
try:
    data = json.load(urlopen(request))["data"]
except HTTPError as refusal:
    sys.exit(refusal.read().decode())
print(data["id"], data["attributes"])`,

  PHP: (call) => `<?php
$body = [
    'data' => [
        'type' => ${phpString(sent(call).type)},${sent(call).id === undefined ? '' : `\n        'id' => ${phpString(sent(call).id!)},`}
        'attributes' => ${phpAttributes(call)},
    ],
];
$context = stream_context_create(['http' => [
    'method' => '${sent(call).method}',
    'header' => ['X-Auth-Token: ' . getenv('${TOKEN}'), 'Content-Type: ${JSON_API}'],
    'content' => json_encode($body),
    'ignore_errors' => true,
]]);
$text = file_get_contents(${phpString(call.address)}, false, $context);
$answer = json_decode($text);
if (!isset($answer->data)) {
    throw new RuntimeException("No data: $text");
}
echo $answer->data->id, ' ', json_encode($answer->data->attributes, JSON_UNESCAPED_UNICODE), PHP_EOL;`,
}
