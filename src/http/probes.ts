import { showFrontPage } from './handlers/show-front-page.ts'
import { showPage, showPart, showWorker } from './handlers/show-page.ts'
import { showHealth } from './handlers/show-health.ts'
import { showInstallation } from './handlers/show-installation.ts'
import { showMetrics } from './handlers/show-metrics.ts'
import { showReadiness } from './handlers/show-readiness.ts'
import { partsOfReference, showReference } from './handlers/show-reference.ts'
import type { Probe } from './routing/probe.ts'

/** Every endpoint beside the interface. */
export const probes: readonly Probe[] = [showHealth, showReadiness, showMetrics, showInstallation, showFrontPage, showReference]

/** The addresses of the web pages, and what pages load. */
export const pageParts: readonly Probe[] = [...showPage, showPart, showWorker, ...partsOfReference]
