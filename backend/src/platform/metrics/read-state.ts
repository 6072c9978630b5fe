import type { ReadinessReport } from '../health/readiness.js';
import type { Metrics } from './metrics.js';

/** Sets what is read when somebody asks: lags, parked streams, stores, the disk. What is not known is missing, not zero. */
export function readState(report: ReadinessReport, metrics: Metrics): void {
  metrics.ready.set(report.status === 'ready' ? 1 : 0);
  for (const [store, state] of Object.entries(report.stores)) metrics.storeWritable.set({ store }, state === 'ok' ? 1 : 0);
  readProjections(report.projections, metrics);
  metrics.reactorLag.reset();
  for (const [reactor, lag] of Object.entries(report.reactors)) metrics.reactorLag.set({ reactor }, lag);
  metrics.reactorParked.reset();
  for (const [reactor, parked] of Object.entries(report.parkedReactions)) metrics.reactorParked.set({ reactor }, parked);
  if (report.disk === null) return;
  metrics.diskFree.set(report.disk.freeBytes);
  metrics.diskSize.set(report.disk.sizeBytes);
}

function readProjections(projections: ReadinessReport['projections'], metrics: Metrics): void {
  for (const gauge of [metrics.projectorLag, metrics.projectorCheckpoint, metrics.projectorParked, metrics.rebuildLag]) gauge.reset();
  for (const { projector, lag, checkpoint, parkedStreams, rebuild } of projections) {
    metrics.projectorLag.set({ projector }, lag);
    metrics.projectorCheckpoint.set({ projector }, checkpoint);
    metrics.projectorParked.set({ projector }, parkedStreams.length);
    if (rebuild !== null) metrics.rebuildLag.set({ projector }, rebuild.lag);
  }
}
