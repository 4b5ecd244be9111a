import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseMetrics, valueOf } from '../../test/support/prometheus.ts'
import { metricsRegistry } from './registry.ts'

describe('the registry of metrics', () => {
  it('writes the text format, read by a strict parser', () => {
    const metrics = metricsRegistry()
    const counter = metrics.counter('some_total', 'Some.')
    counter.of({ route: '/a"b\\c\nd', status: '200' }).add()
    counter.of({ route: '/a"b\\c\nd', status: '200' }).add(2.5)
    metrics.observed('gauge', 'now', 'A line\nand a \\ more.', () => [{ value: -1e21 }, { labels: { of: 'x' }, value: Infinity }])
    const families = parseMetrics(metrics.text())
    assert.equal(valueOf(families, 'some_total', { route: '/a"b\\c\nd' }), 3.5)
    assert.deepEqual(
      families.get('now')!.samples.map(({ value }) => value),
      [-1e21, Infinity],
    )
  })

  it('counts each value in the bucket whose bound it does not exceed', () => {
    const metrics = metricsRegistry()
    const time = metrics.histogram('time_seconds', 'Time.', [0.1, 1]).of({ route: '/x' })
    for (const value of [0, 0.1, 0.11, 1, 7]) time.observe(value)
    const families = parseMetrics(metrics.text())
    const buckets = families.get('time_seconds')!.samples.filter(({ name }) => name.endsWith('_bucket'))
    assert.deepEqual(
      buckets.map(({ labels, value }) => [labels['le'], value]),
      [
        ['0.1', 2],
        ['1', 4],
        ['+Inf', 5],
      ],
    )
    assert.equal(valueOf(families, 'time_seconds_sum'), 8.21)
  })

  it('keeps a bounded number of series, and counts the rest together', () => {
    const metrics = metricsRegistry()
    const counter = metrics.counter('many_total', 'Many.')
    for (let i = 0; i < 6_000; i++) counter.of({ i: String(i) }).add()
    counter.of({ i: '7' }).add()
    const families = parseMetrics(metrics.text())
    assert.equal(families.get('many_total')!.samples.length, 5_000)
    assert.equal(valueOf(families, 'many_total', { i: '7' }), 2)
    assert.equal(valueOf(families, 'many_total', { rest: 'true' }), 1_001)
  })

  it('takes a name once', () => {
    const metrics = metricsRegistry()
    metrics.counter('one_total', 'One.')
    assert.throws(() => metrics.observed('gauge', 'one_total', 'Again.', () => []))
    assert.throws(() => metrics.counter('with space', 'No name.'))
  })
})

describe('the reader of metrics of the tests', () => {
  for (const [what, text] of [
    ['no end of the last line', '# HELP a A.\n# TYPE a gauge\na 1'],
    ['a sample without a type', 'a 1\n'],
    ['a sample of another name', '# HELP a A.\n# TYPE a gauge\nb 1\n'],
    ['a series twice', '# HELP a A.\n# TYPE a gauge\na 1\na 2\n'],
    ['a family twice', '# HELP a A.\n# TYPE a gauge\na 1\n# HELP a A.\n# TYPE a gauge\n'],
    ['an unescaped quote', '# HELP a A.\n# TYPE a gauge\na{b="c"d"} 1\n'],
    ['an unknown escape', '# HELP a A.\n# TYPE a gauge\na{b="\\t"} 1\n'],
    ['no number', '# HELP a A.\n# TYPE a gauge\na one\n'],
    ['a negative counter', '# HELP a_total A.\n# TYPE a_total counter\na_total -1\n'],
    ['a counter without _total', '# HELP a A.\n# TYPE a counter\na 1\n'],
    ['a histogram without +Inf', '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 1\na_sum 1\na_count 1\n'],
    ['buckets that decrease', '# HELP a A.\n# TYPE a histogram\na_bucket{le="1"} 2\na_bucket{le="+Inf"} 1\na_sum 1\na_count 1\n'],
  ] as const)
    it(`refuses ${what}`, () => assert.throws(() => parseMetrics(text)))
})
