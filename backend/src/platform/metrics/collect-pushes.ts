import { within } from '../health/deadline.js';
import type { PushQueue } from '../push/push-queue.js';
import type { Metrics } from './metrics.js';

/** The same as for readiness, which a scrape also waits for. */
const DEADLINE_MS = 2_000;

/** Sets the gauges of the queue of push messages. They are absent, not zero, if the vault does not answer in time. */
export async function collectPushes(pushQueue: Pick<PushQueue, 'status'>, metrics: Metrics): Promise<void> {
  // The probe of the vault reports the failure.
  const status = await within(DEADLINE_MS, pushQueue.status()).catch(() => null);
  for (const gauge of [metrics.webPushesWaiting, metrics.webPushBehind]) gauge.remove();
  if (status === null) return;
  metrics.webPushesWaiting.set(status.waiting);
  metrics.webPushBehind.set(status.behindSeconds);
}
