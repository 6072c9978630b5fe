import type { ReadinessReport } from '../health/readiness.js';
import type { Metrics } from './metrics.js';

/** Sets the gauges of a readiness report. Unknown values are absent, not zero. */
export function collectState(report: ReadinessReport, metrics: Metrics): void {
  metrics.ready.set(report.status === 'ready' ? 1 : 0);
  for (const [store, state] of Object.entries(report.stores)) metrics.storeWritable.set({ store }, state === 'ok' ? 1 : 0);
  collectProjections(report, metrics);
  metrics.reactorLag.reset();
  for (const [reactor, lag] of Object.entries(report.reactors)) metrics.reactorLag.set({ reactor }, lag);
  metrics.reactorBehind.reset();
  for (const [reactor, seconds] of Object.entries(report.behindSeconds.reactors)) metrics.reactorBehind.set({ reactor }, seconds);
  metrics.workHere.reset();
  for (const [work, { here }] of Object.entries(report.works ?? {})) metrics.workHere.set({ work }, here ? 1 : 0);
  metrics.reactorParked.reset();
  for (const [reactor, parked] of Object.entries(report.parkedReactions)) metrics.reactorParked.set({ reactor }, parked);
  collectTimers(report, metrics);
  metrics.choreFailing.reset();
  for (const [chore, seconds] of Object.entries(report.failingChores)) metrics.choreFailing.set({ chore }, seconds);
  if (report.disk === null) return;
  metrics.diskFree.set(report.disk.freeBytes);
  metrics.diskSize.set(report.disk.sizeBytes);
}

function collectProjections({ projections, behindSeconds }: ReadinessReport, metrics: Metrics): void {
  for (const gauge of [metrics.projectorLag, metrics.projectorBehind, metrics.projectorCheckpoint, metrics.projectorParked, metrics.rebuildLag]) gauge.reset();
  for (const { projector, lag, checkpoint, parkedStreams, rebuild } of projections) {
    metrics.projectorLag.set({ projector }, lag);
    metrics.projectorBehind.set({ projector }, behindSeconds.projections[projector] ?? 0);
    metrics.projectorCheckpoint.set({ projector }, checkpoint);
    metrics.projectorParked.set({ projector }, parkedStreams.length);
    if (rebuild !== null) metrics.rebuildLag.set({ projector }, rebuild.lag);
  }
}

function collectTimers({ timers }: ReadinessReport, { timerBehind, timersParked }: Metrics): void {
  for (const gauge of [timerBehind, timersParked]) gauge.reset();
  for (const [kind, { behindSeconds, parked }] of Object.entries(timers)) {
    timerBehind.set({ kind }, behindSeconds);
    timersParked.set({ kind }, parked);
  }
}
