import { MEDIA_TYPE_OF_METRICS } from '../../metrics/metrics.ts'
import { asText } from '../answers/plain.ts'
import { probe } from '../routing/probe.ts'

export const showMetrics = probe({
  path: '/metrics',
  says: 'Metrics of this process in the text format of Prometheus: for administrators, or with KARTOTEKA_METRICS_TOKEN.',
  token: 'unlimited',

  async run(request) {
    await request.mustMeasure()
    return asText(200, MEDIA_TYPE_OF_METRICS, request.metrics())
  },
})
