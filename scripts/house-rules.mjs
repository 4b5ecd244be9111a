/*
 * The house rules that no stock lint rule knows, as a plugin of oxlint; where each applies stands in .oxlintrc.json.
 * scripts/house-rules.test.mjs breaks each of them.
 */

import { readFileSync } from 'node:fs'

/** Names that belong to the wire; inside they are fullName, email, standardTemplate, bulk. */
const wireName = /(?<![\w-])(fio|e_mail|standart_template|bed)(?![\w-])/

const chance = new Set(['randomBytes', 'randomUUID', 'randomInt', 'randomFill', 'randomFillSync', 'getRandomValues'])

let names
/** A type has the file of its name, which the list of types imports. */
function fieldTypeNames() {
  const list = () => readFileSync(new URL('../src/fields/index.ts', import.meta.url), 'utf8')
  return (names ??= new Set([...list().matchAll(/ from '\.\/(\w+)\.ts'/g)].map(([, name]) => name)))
}

const rules = {
  'sql-text-is-literal': rule((report) => {
    const ours = new Set()
    const says = 'Text of SQL is a literal, or the column of a field type; a value goes into sql`…` as ${value}.'
    const isText = (node) =>
      node?.type === 'Literal' || (node?.type === 'MemberExpression' && nameOf(node.object.property ?? {}) === 'column')
    return {
      ImportDeclaration(node) {
        if (node.source.value.endsWith('/sql.ts')) for (const one of node.specifiers) ours.add(one.local.name)
      },
      CallExpression(node) {
        const { callee, arguments: given } = node
        if (isName(callee, 'raw') && !isText(given[0])) report(node, says)
        if (isName(callee, 'join') && ours.has('join') && given[1]?.type !== 'Literal') report(node, says)
      },
      NewExpression(node) {
        if (isName(node.callee, 'Sql')) report(node, says)
      },
    }
  }),

  'no-environment': rule((report) => ({
    MemberExpression(node) {
      if (isName(node.object, 'process') && nameOf(node.property) === 'env') report(node, 'Only config.ts reads the environment.')
    },
  })),

  'no-clock-or-chance': rule((report) => {
    const says = 'Time and chance come from store.environment, so that tests can hold them still.'
    return {
      NewExpression(node) {
        if (isName(node.callee, 'Date') && node.arguments.length === 0) report(node, says)
      },
      CallExpression(node) {
        if (isName(node.callee, 'Date')) report(node, says)
      },
      MemberExpression(node) {
        const of = node.object.name
        const property = nameOf(node.property)
        const clock = (of === 'Date' || of === 'performance') && property === 'now'
        if (clock || (of === 'Math' && property === 'random') || (of === 'crypto' && chance.has(property))) report(node, says)
      },
      ImportSpecifier(node) {
        if (chance.has(node.imported.name)) report(node, says)
      },
    }
  }),

  'engine-is-the-dialects-business': rule((report) => {
    const isEngine = (node) => isName(node, 'engine') || (node?.type === 'MemberExpression' && nameOf(node.property) === 'engine')
    const says = 'What depends on the engine is a member of Dialect.'
    return {
      BinaryExpression(node) {
        if (/^[!=]==?$/.test(node.operator) && (isEngine(node.left) || isEngine(node.right))) report(node, says)
      },
      SwitchStatement(node) {
        if (isEngine(node.discriminant)) report(node, says)
      },
    }
  }),

  'field-types-tell-by-members': rule((report) => {
    const says = 'What only some types of field are is a member of FieldType; their names occur in src/fields only.'
    const isTypeName = (node) => node?.type === 'Literal' && fieldTypeNames().has(node.value)
    const named = (node) => (node?.type === 'MemberExpression' ? nameOf(node.property) : node?.type === 'Identifier' && node.name) || ''
    const isType = (node) => /type(?:name)?$/i.test(named(node)) || (named(node) === 'name' && /type$/i.test(named(node.object)))
    return {
      BinaryExpression(node) {
        const [name, other] = isTypeName(node.left) ? [node.left, node.right] : [node.right, node.left]
        if (/^[!=]==?$/.test(node.operator) && isTypeName(name) && isType(other)) report(node, says)
      },
      SwitchCase(node) {
        if (isTypeName(node.test) && isType(node.parent.discriminant)) report(node, says)
      },
      CallExpression({ callee, arguments: [given] }) {
        if (isName(callee, 'fieldType') && isTypeName(given)) report(given, says)
        const among = callee.type === 'MemberExpression' && nameOf(callee.property) === 'includes' ? callee.object : undefined
        if (among?.type === 'ArrayExpression' && among.elements.some(isTypeName) && isType(given)) report(among, says)
      },
    }
  }),

  'wire-names-stay-at-the-wire': rule((report) => {
    const check = (node, text) => {
      const found = typeof text === 'string' && wireName.exec(text)
      if (found) report(node, `'${found[1]}' is the wire's name: it occurs in src/http/resources/ only.`)
    }
    return {
      Identifier: (node) => check(node, node.name),
      Literal: (node) => check(node, node.value),
      TemplateElement: (node) => check(node, node.value.cooked),
    }
  }),

  'places-of-requests-stay-at-the-wire': rule((report) => {
    const says =
      'Below http a failure names { attribute, path }, { expression } or { condition }; http makes the pointer, the parameter or the header of it.'
    return {
      Property(node) {
        const isSource = nameOf(node.key) === 'source' && node.value.type === 'ObjectExpression'
        if (isSource || ['pointer', 'parameter'].includes(nameOf(node.key))) report(node, says)
      },
      Literal(node) {
        if (typeof node.value === 'string' && node.value.startsWith('/data/')) report(node, says)
      },
      TemplateElement(node) {
        if (node.value.cooked?.startsWith('/data/')) report(node, says)
      },
    }
  }),

  'statements-say-what-they-do': rule((report) => {
    const definition = /^\s*(?:CREATE|ALTER|DROP)\b/
    const change = /^\s*(?:INSERT|UPDATE|DELETE)\b/
    return {
      CallExpression({ callee, arguments: [given] }) {
        const method = callee.type === 'MemberExpression' ? nameOf(callee.property) : undefined
        if (given?.type !== 'TaggedTemplateExpression' || !isName(given.tag, 'sql')) return
        const text = given.quasi.quasis[0].value.cooked
        if (['all', 'run', 'runReturning'].includes(method) && definition.test(text))
          report(
            given,
            'Tables are made by createTable, and changed by alterStructure: what is locked and where a table lies follow from the method.',
          )
        if (method === 'all' && change.test(text)) report(given, 'Rows are changed by run or runReturning: all only reads.')
      },
    }
  }),

  'caught-errors-are-looked-at': rule((report) => ({
    CatchClause(node) {
      if (!node.param)
        report(node, 'A Failure or a named error is handled; any other error is thrown on, or reported (store/ground/fault.ts).')
    },
  })),

  'normalised-in-one-place': rule((report) => ({
    CallExpression({ callee }) {
      if (callee.type === 'MemberExpression' && nameOf(callee.property) === 'normalize')
        report(callee, 'Only fold.ts normalises texts: of a long run of marks that takes the square of the time.')
    },
  })),

  'tests-all-run': rule((report) => ({
    MemberExpression(node) {
      const left = ['only', 'skip', 'todo'].includes(nameOf(node.property))
      if (left && ['test', 'it', 'describe', 'suite'].includes(node.object.name)) report(node, 'Every test runs, always.')
    },
    Property(node) {
      const options = node.parent?.parent
      const inCall = options?.type === 'CallExpression' && ['test', 'it', 'describe', 'suite'].includes(options.callee.name)
      if (inCall && ['only', 'skip', 'todo'].includes(nameOf(node.key))) report(node, 'Every test runs, always.')
    },
  })),

  'todo-names-an-issue': onComments(
    (text) => /\b(TODO|FIXME|XXX|HACK)\b(?!\(#\d+\))/.test(text) && 'Write TODO(#12), with the issue that settles it.',
  ),

  'no-banners': onComments((text) => /[-=*#~─═]{5,}/.test(text) && 'No banners: a heading in a file asks for a file of its own.'),
}

export default { meta: { name: 'house' }, rules }

function rule(visit) {
  return { create: (context) => visit((node, message) => context.report({ node, message })) }
}

function onComments(fault) {
  return {
    create: (context) => ({
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          const message = fault(comment.value)
          if (message) context.report({ loc: comment.loc, message })
        }
      },
    }),
  }
}

function isName(node, name) {
  return node?.type === 'Identifier' && node.name === name
}

function nameOf(node) {
  return node.type === 'Identifier' ? node.name : node.value
}
